import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connect, Plugin } from 'vite'
import { handle } from './server.ts'

/** What the real console sends with every page; the preview sends it, too, so that a violation is seen before anybody else sees it. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function middleware(request: IncomingMessage, response: ServerResponse, next: Connect.NextFunction): void {
  handle(request, response).then(handled => (handled ? undefined : next()), next)
}

/** A console of the imagination, for development and pictures; it is no part of what is built. */
export function stub(): Plugin {
  return {
    name: 'veilgate-stub',
    configureServer: server => {
      server.middlewares.use(middleware)
    },
    configurePreviewServer: server => {
      server.middlewares.use((_, response, next) => {
        response.setHeader('Content-Security-Policy', POLICY)
        next()
      })
      server.middlewares.use(middleware)
    },
  }
}
