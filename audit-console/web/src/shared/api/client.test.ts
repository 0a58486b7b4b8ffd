import { afterEach, describe, expect, it, vi } from 'vitest'
import { AWAY, problem, serve, Status } from '../../../test/server'
import { sessionState } from '../auth/sessionState'
import { api, done, download, take, takeWithStatus } from './client'
import { ApiError, explain } from './problem'

afterEach(() => vi.unstubAllGlobals())

const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => {
      throw new Error('It did not fail')
    },
    (error: unknown) => error as ApiError,
  )

describe('requests', () => {
  it('that change something carry the CSRF token, others do not', async () => {
    const server = serve({
      'GET /api/scopes': [],
      'POST /api/keys/lock': new Status(204),
      'PUT /api/rules': { version: 2, rules: [] },
      'DELETE /api/searches/x': new Status(204),
    })
    await take(api.GET('/api/scopes'))
    await done(api.POST('/api/keys/lock'))
    await take(api.PUT('/api/rules', { body: { version: 1, rules: [] } }))
    await done(api.DELETE('/api/searches/{id}', { params: { path: { id: 'x' } } }))
    expect(server.seen.map(call => call.headers.get('X-CSRF-TOKEN'))).toEqual([
      null,
      'the-token',
      'the-token',
      'the-token',
    ])
  })

  it('name ids in a way that cannot change the path', async () => {
    const server = serve({ 'DELETE /api/searches/*': new Status(204) })
    await done(api.DELETE('/api/searches/{id}', { params: { path: { id: '../keys?x' } } }))
    expect(server.seen[0]?.path).toBe('/api/searches/..%2Fkeys%3Fx')
  })
})

describe('answers', () => {
  it('that are problems keep their detail and rule', async () => {
    serve({ 'POST /api/searches': problem(403, { detail: 'No names', rule: 'works-council' }) })
    const error = await failure(takeWithStatus(api.POST('/api/searches', { body: { query: 'a', scope: 's' } })))
    expect(error).toBeInstanceOf(ApiError)
    expect([error.status, error.detail, error.rule]).toEqual([403, 'No names', 'works-council'])
    expect(explain(error).todo).toContain('works-council')
  })

  it('of 401 end the session', async () => {
    serve({ 'GET /api/scopes': problem(401) })
    await failure(take(api.GET('/api/scopes')))
    expect(sessionState.isOver()).toBe(true)
  })

  it('of 403 do not', async () => {
    serve({ 'GET /api/scopes': problem(403) })
    await failure(take(api.GET('/api/scopes')))
    expect(sessionState.isOver()).toBe(false)
  })

  it('that refuse an old token bring the new one, and ask to repeat', async () => {
    const server = serve({
      'POST /api/keys/lock': problem(403, { type: 'urn:veilgate:problem:csrf' }),
      'GET /api/session': { csrf: 'the-next' },
    })
    const error = await failure(done(api.POST('/api/keys/lock')))
    expect(explain(error).todo).toBe('Do it once more.')
    server.set({ 'POST /api/keys/lock': new Status(204) })
    await done(api.POST('/api/keys/lock'))
    expect(server.of('POST', '/api/keys/lock').map(call => call.headers.get('X-CSRF-TOKEN'))).toEqual([
      'the-token',
      'the-next',
    ])
  })

  it('that do not come are told from those that say no', async () => {
    serve({ 'GET /api/scopes': AWAY })
    expect((await failure(take(api.GET('/api/scopes')))).status).toBe(0)
  })

  it('that are no JSON are errors, too', async () => {
    serve({ 'GET /api/scopes': () => new Response('<html>proxy</html>', { status: 504 }) })
    expect((await failure(take(api.GET('/api/scopes')))).status).toBe(504)
  })
})

describe('downloads', () => {
  it('get the server’s name, without folders', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    URL.createObjectURL = () => 'blob:x'
    URL.revokeObjectURL = () => undefined
    serve({
      'POST /api/keys/backup': () =>
        new Response('zip', { headers: { 'Content-Disposition': 'attachment; filename="../acme.zip"' } }),
    })
    const call = api.POST('/api/keys/backup', {
      body: { shares: 3, threshold: 2, passphrase: 'open sesame' },
      parseAs: 'blob',
    })
    expect(await download(call, 'keys.zip')).toBe('.._acme.zip')
    expect(click).toHaveBeenCalledOnce()
  })

  it.each([
    [`attachment; filename="M_rz.zip"; filename*=UTF-8''M%C3%A4rz.zip`, 'März.zip'],
    [`attachment; filename="a.zip"; filename*=UTF-8''a%E2%80%AEpiz.exe`, 'apiz.exe'],
    [`attachment; filename="a.zip"; filename*=UTF-8''..%2Fa%00.zip`, '.._a.zip'],
    [`attachment; filename="a.zip"; filename*=UTF-8''a%E3%85%A4%EF%B8%8F%E2%A0%80.zip`, 'a.zip'],
    [`attachment; filename="a.zip"; filename*=UTF-8''%C3`, 'keys.zip'],
    ['attachment', 'keys.zip'],
  ])('are called as the header says in UTF-8, cleaned (%s)', async (header, name) => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    URL.createObjectURL = () => 'blob:x'
    const revoke = vi.fn()
    URL.revokeObjectURL = revoke
    serve({ 'POST /api/keys/lock': () => new Response('zip', { headers: { 'Content-Disposition': header } }) })
    const call = api.POST('/api/keys/lock', { parseAs: 'blob' }) as unknown as Parameters<typeof download>[0]
    expect(await download(call, 'keys.zip')).toBe(name)
    // Nothing that was downloaded is kept for the page.
    expect(revoke).toHaveBeenCalledWith('blob:x')
  })

  it('of what was refused give no file', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    serve({ 'POST /api/keys/backup': problem(423) })
    const call = api.POST('/api/keys/backup', {
      body: { shares: 3, threshold: 2, passphrase: 'open sesame' },
      parseAs: 'blob',
    })
    expect((await failure(download(call, 'keys.zip'))).status).toBe(423)
    expect(click).not.toHaveBeenCalled()
  })
})

describe('what to do is said for', () => {
  it.each([
    [0, /connection/],
    [401, /Log in/],
    [409, /Load it again/],
    [423, /passphrase/],
    [502, /no search was made/],
    [500, /tell whoever runs/],
  ])('%d', (status, todo) => {
    const said = explain(new ApiError(status))
    expect(`${said.what} ${said.todo}`).toMatch(todo)
  })
})
