import { vi } from 'vitest'

export interface Seen {
  method: string
  path: string
  search: URLSearchParams
  headers: Headers
  body: unknown
}

/** What is answered, or a function that makes it of what was asked. */
type Answer = unknown

/** An answer that is not 200. */
export class Status {
  constructor(
    readonly status: number,
    readonly body?: unknown,
  ) {}
}

export const problem = (status: number, more: object = {}): Status =>
  new Status(status, { type: `urn:veilgate:problem:test`, title: `Problem ${status}`, status, ...more })

/** Never answers: what is asked for stays on its way. */
export const NEVER = () => new Promise<never>(() => undefined)

/** No connection at all. */
export const AWAY = () => {
  throw new TypeError('Failed to fetch')
}

/**
 * A server of answers by method and path, in place of `fetch`. A path may have `*` for one part. What is not among the answers fails the test, by an error that says so.
 */
export function serve(answers: Record<string, Answer>) {
  const seen: Seen[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url)
    const text = await request.clone().text()
    const call: Seen = {
      method: request.method,
      path: url.pathname,
      search: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    seen.push(call)
    const answer = find(answers, `${call.method} ${call.path}`)
    const value: unknown = typeof answer === 'function' ? await (answer as (seen: Seen) => unknown)(call) : answer
    return respond(value)
  })
  return {
    seen,
    of: (method: string, path: string) => seen.filter(call => call.method === method && call.path === path),
    set: (more: Record<string, Answer>) => Object.assign(answers, more),
  }
}

function find(answers: Record<string, Answer>, key: string): Answer {
  if (key in answers) {
    return answers[key]
  }
  const pattern = Object.keys(answers).find(
    name => name.includes('*') && new RegExp(`^${name.replaceAll('*', '[^/]+')}$`).test(key),
  )
  if (pattern === undefined) {
    throw new Error(`The test has no answer for ${key}`)
  }
  return answers[pattern]
}

function respond(value: unknown): Response {
  if (value instanceof Response) {
    return value
  }
  if (value instanceof Status) {
    const bodyless = value.status === 204 || value.body === undefined
    return new Response(bodyless ? null : JSON.stringify(value.body), {
      status: value.status,
      headers: { 'Content-Type': 'application/problem+json' },
    })
  }
  return new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } })
}
