import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { stamp, toMinute } from '@/shared/ui/format'
import { BASE, checked, histogram, rowsOf, search } from '../../../test/samples'
import { bar, found } from '../../../test/searchPage'
import { problem, serve, Status } from '../../../test/server'
import { restoreDrafts } from '@/shared/auth/drafts'
import { NEW_DRAFT } from './draft'
import SearchPage from './SearchPage'

const FROM = '2026-11-21T10:00:00Z'
const TO = '2026-11-22T10:00:00Z'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

describe('scopes', () => {
  it('that cannot be read are an error', async () => {
    serve({ ...BASE, 'GET /api/scopes': problem(502) })
    show(<SearchPage />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/gateway does not answer/)
    expect(screen.queryByText('There is nowhere to search')).toBeNull()
  })

  it('that are none say why', async () => {
    serve({ ...BASE, 'GET /api/scopes': [] })
    show(<SearchPage />)
    expect(await screen.findByText('There is nowhere to search')).toBeDefined()
  })

  it('of a mailbox make it a query of mails', async () => {
    const server = serve({ ...BASE })
    const { user } = show(<SearchPage />, { state: { query: { query: 'urgent', scope: 'mail/ada' } } })
    await screen.findByText(/Allowed/)
    // Where the scopes come late the query as it came was checked before.
    await waitFor(() =>
      expect(server.of('POST', '/api/queries/check').at(-1)?.body).toMatchObject({
        query: 'urgent',
        scope: 'mail/ada',
        mail: true,
      }),
    )
    await user.click(await bar())
  })
})

describe('the page', () => {
  it('begins in the query', async () => {
    serve({ ...BASE })
    const { user } = show(<SearchPage />)
    const query = await bar()
    await waitFor(() => expect(document.activeElement).toBe(query))
    await user.keyboard('disk')
    expect(await value()).toBe('disk')
  })

  it('does not take the focus from where it is', async () => {
    serve({ ...found() })
    const { router } = show(
      <>
        <button autoFocus>other</button>
        <SearchPage />
      </>,
      { path: '/searches/s1' },
    )
    await screen.findByText('line 1')
    await act(() => router.navigate('/'))
    expect(document.activeElement?.textContent).toBe('other')
  })

  it('has a title that tells searches apart, without their words', async () => {
    const server = serve({ ...found({ state: 'running', rows: 1 }) })
    const { router } = show(<SearchPage />, { path: '/searches/s1' })
    const at = stamp('2026-11-22T10:00:00Z').slice(11)
    await waitFor(() => expect(document.title).toBe(`Searching in plant-7, ${at} · Veilgate`))
    server.set(found())
    act(() => Events.last().state(search({ rows: 3 })))
    await waitFor(() => expect(document.title).toBe(`3 hits in plant-7, ${at} · Veilgate`))
    expect(document.title).not.toContain('level')
    await act(() => router.navigate('/'))
    await waitFor(() => expect(document.title).toBe('Search · Veilgate'))
  })
})

describe('examples', () => {
  it('are searched at once', async () => {
    const server = serve({ ...found(), 'POST /api/searches': new Status(201, search()) })
    const { user, router } = show(<SearchPage />)
    await user.click(await screen.findByRole('button', { name: 'Try level:error' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/searches/s1'))
    expect(server.of('POST', '/api/searches').map(({ body }) => body)).toMatchObject([
      { query: 'level:error', scope: 'plant-7', mail: false },
    ])
  })

  it('lead to the urgent mail in the demonstration', async () => {
    const server = serve({ ...found(), 'POST /api/searches': new Status(201, search({ mail: true })) })
    const { user } = show(<SearchPage />, { demo: true })
    await user.click(await screen.findByRole('button', { name: 'Try urgent in the mail to ada@example.org' }))
    expect((await bar()).textContent).toBe('urgent')
    await waitFor(() =>
      expect(server.of('POST', '/api/queries/check').at(-1)?.body).toMatchObject({
        query: 'urgent',
        scope: 'mail/ada',
        mail: true,
      }),
    )
  })

  it('name no mailbox elsewhere', async () => {
    serve({ ...BASE })
    show(<SearchPage />)
    expect(await screen.findByRole('button', { name: 'Try level:error' })).toBeDefined()
    expect(screen.queryByRole('button', { name: /in the mail/ })).toBeNull()
  })
})

describe('a search', () => {
  it('is started by Enter, followed by its events, and said when it is done', async () => {
    const server = serve({
      ...found({ state: 'running', rows: 0, envelopesDone: 0 }),
      'POST /api/searches': new Status(201, search({ state: 'running', rows: 0, envelopesDone: 0 })),
    })
    const { user, router } = show(<SearchPage />)
    await user.type(await bar(), 'level:error ')
    await screen.findByText(/Allowed/)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/searches/s1'))
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeDefined()
    expect(screen.queryByText('Nothing was found')).toBeNull()
    server.set(found({ rows: 3 }))
    act(() =>
      Events.last().state(
        search({ state: 'running', rows: 2, envelopesDone: 500, perSecond: 100, remainingMillis: 5000 }),
      ),
    )
    expect(await screen.findByText(/500 of 1,000 envelopes · 100\/s · 5.0 s left/)).toBeDefined()
    expect(await screen.findByText('line 1')).toBeDefined()
    act(() => Events.last().state(search({ rows: 3 })))
    expect(await screen.findByText('3 hits, done')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Search' })).toBeDefined()
  })

  it('is one, however often Enter is pressed', async () => {
    const server = serve({ ...found(), 'POST /api/searches': new Status(201, search()) })
    const { user, router } = show(<SearchPage />)
    await user.type(await bar(), 'level:error ')
    await screen.findByText(/Allowed/)
    const moment = Date.now()
    const now = vi.spyOn(Date, 'now').mockReturnValue(moment) // of a machine on which all this takes no time
    await user.keyboard('{Enter}{Enter}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/searches/s1'))
    await user.keyboard('{Enter}')
    await screen.findByText('line 1')
    now.mockRestore()
    expect(server.of('POST', '/api/searches')).toHaveLength(1)
    await user.type(await bar(), 'x{Enter}')
    await waitFor(() => expect(server.of('POST', '/api/searches')).toHaveLength(2))
  })

  it('that was refused can be tried again at once', async () => {
    const server = serve({ ...BASE, 'POST /api/searches': problem(502) })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error {Enter}')
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(server.of('POST', '/api/searches')).toHaveLength(2))
  })

  it('is stopped by Escape in the query', async () => {
    const server = serve({ ...found({ state: 'running' }), 'POST /api/searches/s1/stop': new Status(204) })
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByRole('button', { name: 'Stop' })
    await user.click(await bar())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(server.of('POST', '/api/searches/s1/stop')).toHaveLength(1))
  })

  it.each([
    [problem(502), /The gateway does not answer/],
    [problem(423), /The keys are locked/],
    [problem(403, { detail: 'No names', rule: 'r' }), /Not allowed.*No names.*“r”/],
    [problem(400, { title: 'The scope is unknown' }), /The scope is unknown/],
  ])('that is not started says why, and keeps the query (%#)', async (answer, said) => {
    serve({ ...BASE, 'POST /api/searches': answer })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error ')
    await screen.findByText(/Allowed/)
    await user.keyboard('{Enter}')
    expect((await screen.findByRole('alert')).textContent).toMatch(said)
    expect(screen.queryByText('Nothing was found')).toBeNull()
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error ')
  })

  it('whose session is over keeps what was typed under the dialog', async () => {
    serve({ ...BASE, 'POST /api/searches': problem(401) })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error ')
    await screen.findByText(/Allowed/)
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toMatch(/session is over/)
    await user.click(within(dialog).getByRole('button', { name: 'Log in again' }))
    const kept = JSON.parse(window.sessionStorage.getItem('veilgate.drafts') ?? '{}') as {
      drafts: { search: { query: string } }
    }
    expect(kept.drafts.search.query).toBe('level:error ')
    expect(JSON.stringify(kept)).not.toContain('the-token')
  })

  it('that is gone says so', async () => {
    serve({ ...BASE, 'GET /api/searches/s1': problem(404) })
    show(<SearchPage />, { path: '/searches/s1' })
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /No longer there, or not yours.*only by the person who started it.*ask for the query/,
    )
  })
})

const value = async () => ((await bar()) as HTMLTextAreaElement).value
const picked = () => screen.getByRole('button', { name: /^Time:/ }).getAttribute('aria-label')
const only = () => screen.queryByText(/^Only from/)?.textContent
const edited = () => screen.queryByText(/results of the search before/)

describe('the bar and the results', () => {
  const first = search({ query: 'level:error', senders: ['press-4'], from: FROM, to: TO })
  const second = search({ id: 's2', query: 'level:warn', scope: 'mail/ada' })
  const both = {
    ...found(),
    'GET /api/searches/s1': first,
    'GET /api/searches/s2': second,
    'GET /api/searches/s2/rows': rowsOf(3),
    'GET /api/searches/s2/histogram': histogram,
  }

  it('name the same search: query, scope, time, senders', async () => {
    serve(both)
    show(<SearchPage />, { path: '/searches/s1' })
    const said = await screen.findByRole('region', { name: 'What was searched' })
    expect(said.textContent).toContain('level:error')
    expect(said.textContent).toContain('in plant-7')
    expect(said.textContent).toContain(`${toMinute(FROM)} to ${toMinute(TO)}`)
    expect(said.textContent).toContain('only from press-4')
    expect(await value()).toBe('level:error')
    expect(picked()).toBe(`Time: ${toMinute(FROM)} to ${toMinute(TO)}`)
    expect(only()).toContain('press-4')
    expect(edited()).toBeNull()
  })

  it('do so after Back and Forward, whatever was typed meanwhile', async () => {
    serve(both)
    const { router, user } = show(<SearchPage />, { path: '/searches/s1' })
    await waitFor(async () => expect(await value()).toBe('level:error'))
    await act(() => router.navigate('/searches/s2'))
    await waitFor(async () => expect(await value()).toBe('level:warn'))
    expect(only()).toBeUndefined()
    await user.type(await bar(), ' x')
    await act(() => router.navigate(-1))
    await waitFor(async () => expect(await value()).toBe('level:error'))
    expect(only()).toContain('press-4')
    expect(picked()).toBe(`Time: ${toMinute(FROM)} to ${toMinute(TO)}`)
    await act(() => router.navigate(1))
    await waitFor(async () => expect(await value()).toBe('level:warn'))
    expect(edited()).toBeNull()
  })

  it('keep a relative time where the search was started here', async () => {
    serve({ ...both, 'POST /api/searches': new Status(201, first) })
    const { router, user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error ')
    await screen.findByText(/Allowed/)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/searches/s1'))
    expect(router.state.location.state).toEqual({ time: { kind: 'relative', minutes: 24 * 60 } })
    expect(await value()).toBe('level:error ')
    expect(edited()).toBeNull()
    await act(() => router.navigate('/searches/s2'))
    await waitFor(async () => expect(await value()).toBe('level:warn'))
    await act(() => router.navigate(-1))
    await waitFor(() => expect(picked()).toBe('Time: Last 24 hours'))
  })

  it('keep a relative time where the page is loaded anew', async () => {
    serve(both)
    show(<SearchPage />, { path: '/searches/s1', state: { time: { kind: 'relative', minutes: 15 } } })
    await waitFor(async () => expect(await value()).toBe('level:error'))
    expect(picked()).toBe('Time: Last 15 minutes')
    expect(edited()).toBeNull()
  })

  it('say when the bar was edited, until it is undone', async () => {
    serve(both)
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await waitFor(async () => expect(await value()).toBe('level:error'))
    await user.type(await bar(), ' x')
    expect(edited()).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'Undo the changes' }))
    expect(await value()).toBe('level:error')
    expect(edited()).toBeNull()
    await user.click(screen.getByRole('button', { name: 'From all senders' }))
    expect(edited()).not.toBeNull()
  })

  it('are told apart where something was typed before a new login, which is not lost', async () => {
    serve(both)
    const drafts = { search: { ...NEW_DRAFT, scope: 'plant-7', query: 'level:error typed' } }
    window.sessionStorage.setItem('veilgate.drafts', JSON.stringify({ path: '/searches/s1', drafts }))
    restoreDrafts()
    const { router } = show(<SearchPage />, { path: '/searches/s1' })
    await waitFor(() => expect(edited()).not.toBeNull())
    expect(await value()).toBe('level:error typed')
    await act(() => router.navigate('/searches/s2'))
    await waitFor(async () => expect(await value()).toBe('level:warn'))
  })

  it('are the same where a search is opened from the list after a new login', async () => {
    serve(both)
    const drafts = { search: { ...NEW_DRAFT, scope: 'plant-7', query: 'typed' } }
    window.sessionStorage.setItem('veilgate.drafts', JSON.stringify({ path: '/', drafts }))
    restoreDrafts()
    const { router } = show(<SearchPage />)
    await waitFor(async () => expect(await value()).toBe('typed'))
    await act(() => router.navigate('/searches/s1'))
    await waitFor(async () => expect(await value()).toBe('level:error'))
    expect(edited()).toBeNull()
  })

  it('are saved with their senders, and made a route of them', async () => {
    const server = serve({
      ...both,
      'POST /api/saved-searches': new Status(201, { id: '1', name: 'n' }),
      'POST /api/routes': new Status(201, { name: 'r', actions: [] }),
    })
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await user.click(await screen.findByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Save this search' }))
    const save = await screen.findByRole('dialog')
    expect(save.textContent).toContain('only from press-4')
    await user.type(within(save).getByLabelText('Name'), 'n')
    await user.click(within(save).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/saved-searches')[0]?.body).toMatchObject({ query: { senders: ['press-4'] } }),
    )
    await user.click(screen.getByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Make it a standing route' }))
    const route = await screen.findByRole('dialog', { name: 'Make it a standing route' })
    await user.type(within(route).getByLabelText('Name'), 'r')
    await user.type(within(route).getByLabelText('Address'), 'a@example.org')
    await user.click(within(route).getByRole('button', { name: 'Install' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/routes')[0]?.body).toMatchObject({ query: { senders: ['press-4'] } }),
    )
  })
})

it('a saved search that is refused by now is loaded, with what to write', async () => {
  serve({
    ...BASE,
    'POST /api/queries/check': checked({
      errors: [{ message: 'leaves out with NOT', at: 7, suggestions: ['failed NOT root'] }],
      decision: undefined,
    }),
  })
  show(<SearchPage />, { state: { query: { query: 'failed -root', scope: 'plant-7', senders: ['press-4'] } } })
  expect(await screen.findByRole('button', { name: 'Write failed NOT root' })).toBeDefined()
  expect(await value()).toBe('failed -root')
  expect(only()).toContain('press-4')
})
