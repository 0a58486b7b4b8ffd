import { expect, test } from '../support/test.ts'

const ID = '0198f4a2-0000-7000-8000-000000000000'
const SEARCH = { query: 'overheated', scope: 'plant' }

/** One of each kind; the console's own tests have the whole table. */
const FORBIDDEN: Record<string, Array<[string, string, unknown?]>> = {
  ada: [
    ['POST', `/api/approvals/${ID}/approve`, {}],
    ['PUT', '/api/rules', { version: 0, rules: [] }],
    ['GET', '/api/keys'],
    ['POST', '/api/keys/rotate', {}],
    ['POST', '/api/keys/backup', { shares: 3, threshold: 2 }],
    ['GET', '/api/mail-users'],
    ['POST', '/api/mail-users/enrol', { address: 'ada@demo.example' }],
    ['POST', '/api/readers/issue', { name: 'ada', attributes: 'role:dpo', epochs: '2026-11', passphrase: '12345678' }],
    ['GET', '/api/log/export'],
    ['POST', '/api/routes/remove', { name: 'urgent' }],
    ['GET', '/api/status'],
  ],
  ben: [
    ['PUT', '/api/rules', { version: 0, rules: [] }],
    ['POST', '/api/keys/unlock', { passphrase: 'x' }],
    ['GET', '/api/readers'],
    ['GET', '/api/senders'],
  ],
  kim: [
    ['POST', '/api/searches', SEARCH],
    ['POST', '/api/queries/check', SEARCH],
    ['POST', `/api/approvals/${ID}/approve`, {}],
    ['POST', '/api/routes/remove', { name: 'urgent' }],
  ],
  oli: [
    ['POST', '/api/searches', SEARCH],
    ['PUT', '/api/rules', { version: 0, rules: [] }],
    ['POST', '/api/keys/rotate', {}],
    ['POST', '/api/senders', { publicKey: 'none' }],
    ['GET', '/api/log'],
  ],
}

test('what a role may not do stays forbidden to who goes round the pages', async ({ as }) => {
  for (const [user, calls] of Object.entries(FORBIDDEN)) {
    const somebody = await as(user)
    for (const [method, path, body] of calls) {
      expect((await somebody.call(method, path, body)).status(), `${user}: ${method} ${path}`).toBe(403)
    }
  }
})

test('a role that somebody gives herself counts for nothing', async ({ as }) => {
  const eve = await as('eve')
  const claims: Array<Record<string, string>> = [
    { 'X-Roles': 'keeper' },
    { Authorization: 'Bearer keeper' },
    { Cookie: 'roles=keeper' },
  ]
  for (const headers of claims) {
    const answer = await eve.call('GET', '/api/keys?roles=keeper', undefined, headers)
    expect([401, 403]).toContain(answer.status())
  }
  // The page asks the server who she is: an answer that was forged on the way shows her pages, and no key.
  await eve.page.route('**/api/session', async route => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), roles: ['keeper', 'auditor'] } })
  })
  await eve.page.goto('/keys')
  await expect(eve.page.getByRole('alert')).toBeVisible()
  await expect(eve.page.getByRole('button', { name: 'Rotate keys' })).toHaveCount(0)
})

test('a session is what the server gave out, and a change carries its token', async ({ as }) => {
  const ada = await as('ada')
  expect((await ada.call('POST', '/api/searches', SEARCH, { 'X-CSRF-TOKEN': '' })).status()).toBe(403)
  expect((await ada.call('POST', '/api/searches', SEARCH, { 'X-CSRF-TOKEN': 'x'.repeat(48) })).status()).toBe(403)
  const [cookie] = await ada.context.cookies()
  expect(cookie).toBeDefined()
  if (cookie) {
    const last = cookie.value.endsWith('0') ? '1' : '0'
    await ada.context.addCookies([{ ...cookie, value: cookie.value.slice(0, -1) + last }])
  }
  expect((await ada.context.request.get('/api/session')).status()).toBe(401)
  expect((await ada.call('POST', '/api/searches', SEARCH)).status()).toBe(401)
})

test('two people at once do not see what the other one searches', async ({ as }) => {
  const [ada, ben] = [await as('ada'), await as('ben')]
  const id = await ada.search('overheated AND press-1')
  for (const path of ['', '/rows', '/rows/0', '/rows/0/raw', '/events', '/histogram', '/export?format=jsonl']) {
    expect((await ben.call('GET', `/api/searches/${id}${path}`)).status(), path).toBe(404)
  }
  expect((await ben.call('POST', `/api/searches/${id}/stop`)).status()).toBe(404)
  expect((await ben.call('DELETE', `/api/searches/${id}`)).status()).toBe(404)
  await ben.page.goto(`/searches/${id}`)
  await expect(ben.page.getByRole('alert')).toBeVisible()
  await expect(ben.grid).toHaveCount(0)
  expect((await ada.call('GET', `/api/searches/${id}/rows`)).status()).toBe(200)
})

test('a page of the console cannot be framed, and its answers are not kept', async ({ as }) => {
  const ada = await as('ada')
  const page = await ada.context.request.get('/')
  expect(page.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.headers()['content-security-policy']).toContain("script-src 'self';")
  const session = await ada.context.request.get('/api/session')
  expect(session.headers()['cache-control']).toContain('no-store')
})
