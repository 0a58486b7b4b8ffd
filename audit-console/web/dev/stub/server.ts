import type { IncomingMessage, ServerResponse } from 'node:http'
import { ADMIN_ROUTES } from './adminRoutes.ts'
import { readBody, refuse, Refusal, type Handler, type Route } from './http.ts'
import { LINK_ROUTES, MAIL_USER_ROUTES } from './mailUserRoutes.ts'
import { SEARCH_ROUTES } from './searchRoutes.ts'
import { CSRF, pages, SESSION_ROUTES } from './session.ts'

const ROUTES: Route[] = [...SESSION_ROUTES, ...SEARCH_ROUTES, ...ADMIN_ROUTES, ...MAIL_USER_ROUTES, ...LINK_ROUTES]

const cookie = (request: IncomingMessage): boolean => (request.headers.cookie ?? '').includes('stub=in')

export async function handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const url = new URL(request.url ?? '/', 'http://stub')
  if (pages(url.pathname, url, response)) {
    return true
  }
  for (const [method, pattern, handler] of ROUTES) {
    const found = request.method === method ? pattern.exec(url.pathname) : null
    if (found) {
      await answer(request, response, url, found.slice(1), handler)
      return true
    }
  }
  return false
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  params: string[],
  handler: Handler,
): Promise<void> {
  try {
    const isLink = url.pathname.startsWith('/enrolment/')
    if (!isLink && !cookie(request)) {
      throw new Refusal(401, 'The session is over')
    }
    if (!isLink && request.method !== 'GET' && request.headers['x-csrf-token'] !== CSRF) {
      throw new Refusal(403, 'The CSRF token is missing or wrong')
    }
    await handler({ request, response, url, params, body: () => readBody(request) })
  } catch (error) {
    refuse(response, error instanceof Refusal ? error : new Refusal(500, 'The stub is broken', String(error)))
  }
}
