import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Call {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  params: string[]
  body: () => Promise<Record<string, unknown>>
}

export type Handler = (call: Call) => void | Promise<void>

/** Method, path and what answers. */
export type Route = [string, RegExp, Handler]

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail?: string,
    readonly rule?: string,
    readonly type = `stub-${status}`,
  ) {
    super(title)
  }
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(value))
}

export function empty(response: ServerResponse): void {
  response.writeHead(204)
  response.end()
}

export function file(response: ServerResponse, name: string, content: string, type = 'application/octet-stream'): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` })
  response.end(content)
}

export function refuse(response: ServerResponse, { status, title, detail, rule, type }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'application/problem+json' })
  response.end(JSON.stringify({ type: `urn:veilgate:problem:${type}`, title, status, detail, rule }))
}

export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(part as Buffer)
  }
  return parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>)
}
