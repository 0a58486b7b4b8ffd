import type { ServerResponse } from 'node:http'
import type { Role } from '../../src/shared/api/types.ts'
import * as admin from './admin.ts'
import { json, type Route } from './http.ts'

export const CSRF = 'stub-csrf'
const ROLES: Role[] = ['auditor', 'approver', 'keeper', 'operator']

let rolesNow: Role[] = ROLES

const FIELDS = [
  ['level', 'How bad it is', 'word', 'level:error'],
  ['host', 'The machine', 'word', 'host:press-4'],
  ['unit', 'The systemd unit', 'word', 'unit:sshd'],
  ['app', 'The program', 'word', 'app:nginx'],
  ['ip', 'An address or network', 'address', 'ip:10.0.0.0/8'],
  ['path', 'A path, whole', 'path', 'path:/var/log/syslog'],
  ['pid', 'The process', 'number', 'pid:4711'],
  ['temperature', 'In degrees Celsius', 'number', 'temperature:70..90'],
  ['time', 'Month, day, hour or minute, UTC', 'time', 'time:2026-11-21T12'],
  ['source', 'File or unit that the sender read', 'path', 'source:/var/log/app.log'],
  ['from', 'The sender of a mail', 'mail', 'from:ada@example.org'],
  ['to', 'A recipient of a mail', 'mail', 'to:ops@example.org'],
  ['subject', 'A word of the subject', 'mail', 'subject:urgent'],
].map(([name, description, kind, example]) => ({ name, description, kind, example }))

const SCOPES = [
  { name: 'plant-7', kind: 'logs' },
  { name: 'web', kind: 'logs' },
  { name: 'mail/ada', kind: 'mailbox', owner: 'ada@example.org' },
  { name: 'mail/ops', kind: 'mailbox', owner: 'ops@example.org' },
]

function ends(): unknown {
  return { at: new Date(Date.now() + 30 * 60_000).toISOString(), seconds: 30 * 60, atMost: 12 * 3600 }
}

function session(): unknown {
  return {
    user: 'ada',
    name: 'Ada Byron',
    roles: rolesNow,
    attributes: ['role:auditor', 'site:plant-7'],
    tenant: 'acme',
    ends: ends(),
    csrf: CSRF,
    keysLocked: admin.keys.locked,
    logoutUrl: '/logout',
    demo: true,
  }
}

/** The pages of the provider, in two lines; and what only a stub has: another set of roles, the end of the session. */
export function pages(path: string, url: URL, response: ServerResponse): boolean {
  const to = (location: string, value: string) => {
    response.writeHead(302, { Location: location, 'Set-Cookie': `stub=${value}; Path=/; HttpOnly; SameSite=Lax` })
    response.end()
    return true
  }
  switch (path) {
    case '/oauth2/authorization/veilgate':
      rolesNow = (url.searchParams.get('roles')?.split(',') as Role[] | undefined) ?? ROLES
      return to('/', 'in')
    case '/logout':
    case '/stub/expire':
      return to('/', 'out')
    default:
      return false
  }
}

export const SESSION_ROUTES: Route[] = [
  ['GET', /^\/api\/session$/, ({ response }) => json(response, session())],
  ['POST', /^\/api\/session\/used$/, ({ response }) => json(response, ends())],
  ['GET', /^\/api\/fields$/, ({ response }) => json(response, FIELDS)],
  ['GET', /^\/api\/scopes$/, ({ response }) => json(response, SCOPES)],
]
