import type { Approval, Query, TableView } from '../../src/shared/api/types.ts'
import * as admin from './admin.ts'
import { empty, file, json, Refusal, type Call, type Route } from './http.ts'
import { detailOf, FIELDS, nearby } from './rows.ts'
import { check, Searches } from './searches.ts'

const searches = new Searches()
let views: TableView[] = []
searches.approvals = admin.approvals

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

const number = (url: URL, name: string, fallback: number): number => Number(url.searchParams.get(name) ?? fallback)

export const SEARCH_ROUTES: Route[] = [
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
      json(
        response,
        searches.rows(
          params[0] ?? '',
          number(url, 'from', 0),
          number(url, 'count', 100),
          url.searchParams.get('sort') ?? '',
          url.searchParams.has('upTo') ? number(url, 'upTo', 0) : undefined,
          (url.searchParams.get('fields') ?? '').split(',').filter(Boolean).map(Number),
        ),
      ),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/rows\/(\d+)\/place$/,
    ({ params, url, response }) =>
      json(response, {
        place: searches.place(
          params[0] ?? '',
          Number(params[1]),
          url.searchParams.get('sort') ?? '',
          number(url, 'upTo', searches.state(params[0] ?? '').rows),
        ),
      }),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/table$/,
    ({ params, response }) => {
      const { query, rows } = searches.state(params[0] ?? '')
      const marks = [...query.matchAll(/[\p{L}\p{N}]+/gu)].map(([text]) => ({ text, isBeginning: false }))
      json(response, { fields: FIELDS, known: rows, marks })
    },
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/fields$/,
    ({ params, response }) => json(response, searches.fields(params[0] ?? '')),
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/fields\/([\w-]+)$/,
    ({ params, url, response }) =>
      json(response, searches.values(params[0] ?? '', params[1] ?? '', number(url, 'top', 10))),
  ],
  ['GET', /^\/api\/table-views$/, ({ response }) => json(response, views)],
  [
    'PUT',
    /^\/api\/table-views$/,
    async ({ body, response }) => {
      const wanted = (await body()) as unknown as TableView
      views = [...views.filter(each => each.scope !== wanted.scope || each.mail !== wanted.mail), wanted]
      empty(response)
    },
  ],
  [
    'GET',
    /^\/api\/searches\/([^/]+)\/unchecked$/,
    ({ params, response }) => json(response, searches.unchecked(params[0] ?? '')),
  ],
  [
    'POST',
    /^\/api\/searches\/([^/]+)\/unchecked\/(\d+)$/,
    async ({ params, response }) => {
      await new Promise(resolve => setTimeout(resolve, 1500))
      json(response, searches.recheck(params[0] ?? '', Number(params[1])))
    },
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
]
