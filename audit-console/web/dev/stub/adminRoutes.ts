import type { CredentialKind, LogSearch, NewRoute, Rules, Sender } from '../../src/shared/api/types.ts'
import * as admin from './admin.ts'
import { empty, file, json, Refusal, type Call, type Handler, type Route } from './http.ts'

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

async function logPage({ body, response }: Call): Promise<void> {
  const { kind, actor, scope, text, from, to, before, limit } = (await body()) as LogSearch
  const size = 1337
  const found = admin
    .log(size)
    .filter(
      entry =>
        (!kind || entry.kind === kind) &&
        (!actor || entry.actor === actor) &&
        (!from || entry.time >= from) &&
        (!to || entry.time < to) &&
        (!scope || entry.details.some(({ name, value }) => name === 'scope' && value.split(' ').includes(scope))) &&
        (!text || JSON.stringify(entry).toLowerCase().includes(text.toLowerCase())) &&
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

function senderPage({ url, response }: Call): void {
  const wanted = url.searchParams
  const text = (wanted.get('text') ?? '').toLowerCase()
  const state = wanted.get('state')
  const from = Number(wanted.get('from') ?? 0)
  const found = admin.senders.filter(
    sender => sender.name.toLowerCase().includes(text) && (!state || sender.state === state),
  )
  const heard = wanted.get('order') === 'heard'
  found.sort((a, b) => (heard ? (a.lastSeen ?? '').localeCompare(b.lastSeen ?? '') : a.name.localeCompare(b.name)))
  const states: Record<string, number> = {}
  for (const { state: each } of admin.senders) {
    states[each ?? 'unknown'] = (states[each ?? 'unknown'] ?? 0) + 1
  }
  json(response, {
    known: true,
    total: admin.senders.length,
    states,
    found: found.length,
    senders: found.slice(from, from + Number(wanted.get('count') ?? 50)),
  })
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

async function giveAccess({ body, response }: Call): Promise<void> {
  const { name, kind } = await body()
  const sender = admin.senders.find(one => one.name === name)
  if (sender) {
    sender.credentials = [...new Set([...(sender.credentials ?? []), kind as CredentialKind])]
  }
  json(response, { name, kind, secret: 'b7Qk-2sVw-9xLe-f0Rt' })
}

async function takeAccess({ body, response }: Call): Promise<void> {
  const { name, kind } = await body()
  const sender = admin.senders.find(one => one.name === name)
  if (sender) {
    sender.credentials = (sender.credentials ?? []).filter(one => one !== kind)
  }
  empty(response)
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

async function renewRoute({ body, response }: Call): Promise<void> {
  const { name } = await body()
  const route = admin.routes.find(one => one.name === name)
  if (route) {
    Object.assign(route, { rules: [1, 2], former: false })
  }
  json(response, route, 201)
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

export const ADMIN_ROUTES: Route[] = [
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
  ['GET', /^\/api\/keys\/rules$/, ({ response }) => json(response, admin.rulesOfKeywords)],
  ['POST', /^\/api\/keys\/rules$/, ({ response }) => json(response, admin.rulesOfKeywords)],
  [
    'POST',
    /^\/api\/keys\/rules\/preview$/,
    ({ response }) =>
      json(response, {
        change: true,
        situation: admin.rulesOfKeywords.situation,
        notes: ['Routes that were issued before miss it too, until they are issued again.'],
      }),
  ],
  ['POST', /^\/api\/keys\/backup$/, ({ response }) => file(response, 'acme-backup.zip', 'stub', 'application/zip')],
  ['GET', /^\/api\/readers$/, ({ response }) => json(response, admin.readers)],
  [
    'POST',
    /^\/api\/readers\/issue$/,
    async ({ body, response }) => file(response, `${String((await body()).name)}.vgr`, 'stub'),
  ],
  ['POST', /^\/api\/readers\/revoke$/, remove(admin.readers)],
  ['GET', /^\/api\/senders$/, senderPage],
  ['GET', /^\/api\/senders\/indexes$/, ({ response }) => json(response, admin.indexes)],
  ['GET', /^\/api\/senders\/sweep$/, ({ response }) => json(response, { envelopes: 0, senders: [] })],
  ['GET', /^\/api\/senders\/rules$/, ({ response }) => json(response, admin.keywordRules)],
  ['POST', /^\/api\/senders$/, addSender],
  ['POST', /^\/api\/senders\/remove$/, remove(admin.senders)],
  ['POST', /^\/api\/senders\/credential$/, giveAccess],
  ['POST', /^\/api\/senders\/credential\/remove$/, takeAccess],
  ['GET', /^\/api\/routes$/, ({ response }) => json(response, admin.routes)],
  ['POST', /^\/api\/routes$/, addRoute],
  ['POST', /^\/api\/routes\/remove$/, remove(admin.routes)],
  ['POST', /^\/api\/routes\/renew$/, renewRoute],
  ['POST', /^\/api\/log\/search$/, logPage],
  ['POST', /^\/api\/log\/(\d+)\/details$/, ({ response }) => json(response, [{ name: 'keyword', value: 'salary' }])],
  ['GET', /^\/api\/log\/export$/, ({ response }) => file(response, 'acme-log.vgl', 'stub')],
  ['GET', /^\/api\/status$/, ({ response }) => json(response, admin.status())],
  [
    'GET',
    /^\/api\/status\/figures$/,
    ({ url, response }) => json(response, admin.figures(url.searchParams.get('span') ?? 'hour')),
  ],
  ['GET', /^\/bundle$/, ({ response }) => file(response, 'acme.vgb', 'stub')],
]
