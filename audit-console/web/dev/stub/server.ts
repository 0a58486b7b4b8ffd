import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Approval, NewRoute, Query, Role, Rules, Sender } from '../../src/shared/api/types.ts'
import * as admin from './admin.ts'
import { empty, file, json, readBody, refuse, Refusal, type Call, type Handler } from './http.ts'
import { detailOf, nearby } from './rows.ts'
import { check, Searches } from './searches.ts'

const CSRF = 'stub-csrf'
const ROLES: Role[] = ['auditor', 'approver', 'keeper', 'operator']
const searches = new Searches()
searches.approvals = admin.approvals

let rolesNow: Role[] = ROLES
const cookie = (request: IncomingMessage): boolean => (request.headers.cookie ?? '').includes('stub=in')

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

function session(): unknown {
  return {
    user: 'ada',
    name: 'Ada Byron',
    roles: rolesNow,
    attributes: ['role:auditor', 'site:plant-7'],
    tenant: 'acme',
    expires: new Date(Date.now() + 30 * 60_000).toISOString(),
    csrf: CSRF,
    keysLocked: admin.keys.locked,
    logoutUrl: '/logout',
    demo: true,
  }
}

async function startSearch({ body, response }: Call): Promise<void> {
  const query = (await body()) as unknown as Query & { reason?: string }
  const { decision } = check(query, searches.approved(query.query))
  if (decision?.outcome === 'refused') {
    throw new Refusal(403, 'Refused', decision.reason, decision.rule)
  }
  if (decision?.outcome === 'needs-approval' && !decision.approval) {
    const approval: Approval = {
      id: crypto.randomUUID(),
      state: 'pending',
      purpose: 'search',
      requester: 'ada',
      requested: new Date().toISOString(),
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      mine: true,
      query: query.query,
      scope: query.scope,
      epochs: ['2026-11'],
      reason: query.reason,
      rule: decision.rule,
    }
    admin.approvals.unshift(approval)
    return json(response, approval, 202)
  }
  json(response, searches.start(query), 201)
}

function events({ params, request, response }: Call): void {
  const id = params[0] ?? ''
  searches.state(id)
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  const send = () => {
    const state = searches.state(id)
    response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`)
    if (state.state !== 'running' && state.state !== 'issuing') {
      clearInterval(timer)
      response.end()
    }
  }
  const timer = setInterval(send, 250)
  send()
  request.on('close', () => clearInterval(timer))
}

const decide =
  (state: 'approved' | 'refused'): Handler =>
  async ({ params, body, response }) => {
    const approval = admin.approvals.find(({ id }) => id === params[0])
    if (!approval || approval.mine) {
      throw new Refusal(403, 'Not allowed', 'Nobody decides about a request of their own.')
    }
    Object.assign(approval, {
      state,
      decidedBy: 'ada',
      decided: new Date().toISOString(),
      decision: (await body()).reason,
    })
    json(response, approval)
  }

function logPage({ url, response }: Call): void {
  const { kind, actor, before, limit } = Object.fromEntries(url.searchParams)
  const size = 1337
  const found = admin
    .log(size)
    .filter(
      entry =>
        (!kind || entry.kind === kind) &&
        (!actor || entry.actor === actor) &&
        (!before || entry.number < Number(before)),
    )
  const entries = found.slice(0, Number(limit ?? 50))
  json(response, {
    size,
    root: '5fd1e2a09b7c4433aa10ff00c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5',
    headTime: new Date(Date.now() - 40_000).toISOString(),
    entries,
    next: found.length > entries.length ? entries.at(-1)?.number : undefined,
  })
}

async function putRules({ body, response }: Call): Promise<void> {
  const rules = (await body()) as unknown as Rules
  if (rules.version !== admin.rules.version) {
    throw new Refusal(
      409,
      'The rules have changed meanwhile',
      `You read version ${rules.version}; version ${admin.rules.version} is there now.`,
    )
  }
  admin.rules.rules = rules.rules
  admin.rules.version++
  json(response, admin.rules)
}

async function addSender({ body, response }: Call): Promise<void> {
  const key = String((await body()).publicKey)
  if (key.length < 20) {
    throw new Refusal(400, 'This is no sender’s key', 'It must be what veilgate identity show prints.')
  }
  const sender: Sender = {
    name: `device-${admin.senders.length}`,
    registered: true,
    fingerprint: 'SHA256:0123 4567 89ab',
    state: 'unknown',
    gaps: [],
  }
  admin.senders.push(sender)
  json(response, sender, 201)
}

async function addRoute({ body, response }: Call): Promise<void> {
  const route = (await body()) as unknown as NewRoute
  const made = {
    name: route.name,
    actions: [`${route.action} ${route.target}`],
    scope: route.query.scope,
    epochs: ['2026-11'],
    matches: 0,
  }
  admin.routes.push(made)
  json(response, made, 201)
}

const remove =
  <T extends { name: string }>(list: T[]): Handler =>
  async ({ body, response }) => {
    const { name } = await body()
    const at = list.findIndex(item => item.name === name)
    if (at >= 0) list.splice(at, 1)
    empty(response)
  }

const lock =
  (locked: boolean): Handler =>
  async ({ body, response }) => {
    if (!locked && (await body()).passphrase === 'wrong') {
      throw new Refusal(403, 'The passphrase is wrong')
    }
    admin.keys.locked = locked
    if (locked) empty(response)
    else json(response, admin.keys)
  }

const number = (url: URL, name: string, fallback: number): number => Number(url.searchParams.get(name) ?? fallback)

const ROUTES: [string, RegExp, Handler][] = [
  ['GET', /^\/api\/session$/, ({ response }) => json(response, session())],
  ['GET', /^\/api\/fields$/, ({ response }) => json(response, FIELDS)],
  ['GET', /^\/api\/scopes$/, ({ response }) => json(response, SCOPES)],
  [
    'POST',
    /^\/api\/queries\/check$/,
    async ({ body, response }) => {
      const query = (await body()) as unknown as Query
      json(response, check(query, searches.approved(query.query)))
    },
  ],
  ['GET', /^\/api\/searches$/, ({ response }) => json(response, searches.all())],
  ['POST', /^\/api\/searches$/, startSearch],
  ['GET', /^\/api\/searches\/([^/]+)$/, ({ params, response }) => json(response, searches.state(params[0] ?? ''))],
  [
    'DELETE',
    /^\/api\/searches\/([^/]+)$/,
    ({ params, response }) => (searches.forget(params[0] ?? ''), empty(response)),
  ],
  [
    'POST',
    /^\/api\/searches\/([^/]+)\/stop$/,
    ({ params, response }) => (searches.stop(params[0] ?? ''), empty(response)),
  ],
  ['GET', /^\/api\/searches\/([^/]+)\/events$/, events],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/rows$/,
    ({ params, url, response }) =>
      json(response, searches.rows(params[0] ?? '', number(url, 'from', 0), number(url, 'count', 100))),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/histogram$/,
    ({ params, url, response }) => json(response, searches.histogram(params[0] ?? '', number(url, 'buckets', 60))),
  ],
  ['GET', /^\/api\/searches\/([^/]+)\/sources$/, ({ response }) => json(response, searches.sources())],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/export$/,
    ({ response }) => file(response, 'export.zip', 'stub', 'application/zip'),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/rows\/(\d+)$/,
    ({ params, response }) => json(response, detailOf(searches.row(params[0] ?? '', Number(params[1])))),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/rows\/(\d+)\/surrounding$/,
    ({ params, url, response }) =>
      json(
        response,
        nearby(searches.row(params[0] ?? '', Number(params[1])), number(url, 'before', 10), number(url, 'after', 10)),
      ),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/rows\/(\d+)\/(raw|attachments\/\d+)$/,
    ({ response }) => file(response, 'raw.bin', 'stub'),
  ],
  ['GET', /^\/api\/saved-searches$/, ({ response }) => json(response, admin.saved)],
  [
    'POST',
    /^\/api\/saved-searches$/,
    async ({ body, response }) => {
      const made = {
        ...(await body()),
        id: crypto.randomUUID(),
        created: new Date().toISOString(),
      } as unknown as (typeof admin.saved)[0]
      admin.saved.push(made)
      json(response, made, 201)
    },
  ],
  [
    'DELETE',
    /^\/api\/saved-searches\/([^/]+)$/,
    ({ params, response }) => {
      admin.saved.splice(
        admin.saved.findIndex(({ id }) => id === params[0]),
        1,
      )
      empty(response)
    },
  ],
  [
    'GET',
    /^\/api\/approvals$/,
    ({ url, response }) =>
      json(
        response,
        admin.approvals.filter(
          ({ state }) => !url.searchParams.get('state') || state === url.searchParams.get('state'),
        ),
      ),
  ],
  ['POST', /^\/api\/approvals\/([^/]+)\/approve$/, decide('approved')],
  ['POST', /^\/api\/approvals\/([^/]+)\/refuse$/, decide('refused')],
  ['GET', /^\/api\/rules$/, ({ response }) => json(response, admin.rules)],
  ['PUT', /^\/api\/rules$/, putRules],
  [
    'GET',
    /^\/api\/keys$/,
    ({ response }) => json(response, admin.keys.locked ? { ...admin.keys, keys: [] } : admin.keys),
  ],
  ['POST', /^\/api\/keys\/unlock$/, lock(false)],
  ['POST', /^\/api\/keys\/lock$/, lock(true)],
  ['POST', /^\/api\/keys\/rotate$/, ({ response }) => json(response, admin.keys)],
  ['POST', /^\/api\/keys\/backup$/, ({ response }) => file(response, 'acme-backup.zip', 'stub', 'application/zip')],
  ['GET', /^\/api\/readers$/, ({ response }) => json(response, admin.readers)],
  [
    'POST',
    /^\/api\/readers\/issue$/,
    async ({ body, response }) => file(response, `${String((await body()).name)}.vgr`, 'stub'),
  ],
  ['POST', /^\/api\/readers\/revoke$/, remove(admin.readers)],
  ['GET', /^\/api\/senders$/, ({ response }) => json(response, admin.senders)],
  ['POST', /^\/api\/senders$/, addSender],
  ['POST', /^\/api\/senders\/remove$/, remove(admin.senders)],
  ['GET', /^\/api\/routes$/, ({ response }) => json(response, admin.routes)],
  ['POST', /^\/api\/routes$/, addRoute],
  ['POST', /^\/api\/routes\/remove$/, remove(admin.routes)],
  ['GET', /^\/api\/log$/, logPage],
  ['GET', /^\/api\/log\/export$/, ({ response }) => file(response, 'acme-log.vgl', 'stub')],
  ['GET', /^\/api\/status$/, ({ response }) => json(response, admin.status())],
  ['GET', /^\/bundle$/, ({ response }) => file(response, 'acme.vgb', 'stub')],
]

/** The pages of the provider, in two lines; and what only a stub has: another set of roles, the end of the session. */
function pages(path: string, url: URL, response: ServerResponse): boolean {
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
    if (!cookie(request)) {
      throw new Refusal(401, 'The session is over')
    }
    if (request.method !== 'GET' && request.headers['x-csrf-token'] !== CSRF) {
      throw new Refusal(403, 'The CSRF token is missing or wrong')
    }
    await handler({ request, response, url, params, body: () => readBody(request) })
  } catch (error) {
    refuse(response, error instanceof Refusal ? error : new Refusal(500, 'The stub is broken', String(error)))
  }
}
