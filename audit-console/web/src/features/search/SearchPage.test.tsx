import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { approval, BASE, checked, detail, histogram, rowsOf, search } from '../../../test/samples'
import { AWAY, NEVER, problem, serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

const bar = () => screen.findByRole('textbox', { name: 'Query' })
const found = (part = {}) => ({
  ...BASE,
  'GET /api/searches/s1': search(part),
  'GET /api/searches/s1/rows': rowsOf(search(part).rows),
  'GET /api/searches/s1/histogram': histogram,
  'GET /api/searches/s1/rows/*': (seen: { path: string }) =>
    detail({ text: `the whole of ${seen.path.split('/').at(-1)}` }),
})

describe('the query', () => {
  it('is checked once, after the last change, and nothing is searched by it', async () => {
    const server = serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'overheat')
    expect(await screen.findByText(/Allowed/)).toBeDefined()
    expect(server.of('POST', '/api/queries/check').map(call => (call.body as { query: string }).query)).toEqual([
      'overheat',
    ])
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('has its errors marked at their character, and is not searched', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({
        errors: [{ message: 'has a ( without its )', at: 12 }],
        decision: undefined,
      }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error (b')
    expect(await screen.findByText(/Character 13: has a \(/)).toBeDefined()
    const mark = screen.getByTestId('query-copy').querySelector('mark')
    expect(mark?.textContent).toBe('(')
    expect((await bar()).getAttribute('aria-invalid')).toBe('true')
    await user.keyboard('{Enter}')
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('that is refused says by which rule and cannot be searched', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({
        decision: { outcome: 'refused', reason: 'No names', rule: 'works-council' },
      }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'eve{Enter}')
    expect(await screen.findByText(/Refused \(rule “works-council”\): No names/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await user.type(await bar(), '{Enter}')
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('that needs approval asks for a reason first, then says that it was asked', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({ decision: { outcome: 'needs-approval', reason: 'Pay', rule: 'pay' } }),
      'POST /api/searches': new Status(202, approval({ mine: true })),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'salary')
    const ask = await screen.findByRole('button', { name: 'Ask' })
    expect((ask as HTMLButtonElement).disabled).toBe(true)
    await user.type(screen.getByLabelText(/Why do you need this/), 'Complaint 4471')
    await user.click(ask)
    expect(await screen.findByText(/Asked: a second person must approve/)).toBeDefined()
    expect(server.of('POST', '/api/searches')[0]?.body).toMatchObject({
      query: 'salary',
      scope: 'plant-7',
      reason: 'Complaint 4471',
    })
  })

  it('shows what the gateway would learn', async () => {
    serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'a')
    await user.click(await screen.findByRole('button', { name: /What the gateway learns/ }))
    expect(screen.getByText('It sees which records match.')).toBeDefined()
  })

  it('that cannot be checked is not taken for allowed, and may still be asked', async () => {
    serve({ ...BASE, 'POST /api/queries/check': AWAY })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'a')
    expect(await screen.findByText(/could not be checked/)).toBeDefined()
    expect(screen.queryByText(/Allowed/)).toBeNull()
  })

  it('completes names of fields by keys', async () => {
    serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'le')
    expect(await screen.findByRole('option', { name: /level:/ })).toBeDefined()
    await user.keyboard('{ArrowDown}{Enter}err')
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:err')
    await user.keyboard('{Tab}')
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error ')
  })
})

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
    expect(server.of('POST', '/api/queries/check').at(-1)?.body).toMatchObject({
      query: 'urgent',
      scope: 'mail/ada',
      mail: true,
    })
    await user.click(await bar())
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
    expect((await screen.findByRole('alert')).textContent).toMatch(/No longer there/)
  })
})

describe('results', () => {
  const shown = (part = {}) => {
    const server = serve(found(part))
    return { server, ...show(<SearchPage />, { path: '/searches/s1' }) }
  }

  it('that are complete and none say what was searched', async () => {
    shown({ rows: 0 })
    expect(await screen.findByText('Nothing was found')).toBeDefined()
    expect(screen.getByText(/All 1,000 envelopes/)).toBeDefined()
  })

  it.each([
    ['stopped', /Partial: it was stopped. 600 envelopes of 1,000 were not searched/],
    ['limited', /Partial: it stopped at its limit/],
    ['failed', /Partial: The line broke/],
  ])('of a search that was %s say that they are partial', async (state, said) => {
    shown({ state, problem: 'The line broke.', envelopesDone: 400 })
    await screen.findByText('line 0')
    expect(document.body.textContent).toMatch(said)
    expect(screen.queryByText(/, done/)).toBeNull()
  })

  it.each(['failed', 'stopped', 'limited', 'running'])(
    'of a search without hits that is %s are not “nothing”',
    async state => {
      shown({ rows: 0, state, problem: 'The line broke.', envelopesDone: 400 })
      await screen.findByRole('region', { name: 'State of the search' })
      expect(screen.queryByText('Nothing was found')).toBeNull()
      expect(document.body.textContent).not.toMatch(/All 1,000 envelopes/)
    },
  )

  it('whose rows cannot be read say so in each row and above', async () => {
    serve({ ...found(), 'GET /api/searches/s1/rows': problem(502) })
    show(<SearchPage />, { path: '/searches/s1' })
    expect((await screen.findByRole('alert')).textContent).toMatch(/gateway does not answer/)
    expect(screen.getByText('Row 1 could not be read')).toBeDefined()
  })

  it('are moved through by keys, opened, and closed', async () => {
    const { user } = shown()
    await screen.findByText('line 2')
    const grid = screen.getByRole('grid')
    expect(grid.getAttribute('aria-rowcount')).toBe('4')
    act(() => grid.focus())
    await user.keyboard('j{ArrowDown}k')
    const active = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')
    expect(active?.getAttribute('aria-rowindex')).toBe('3')
    await user.keyboard('{Enter}')
    const panel = await screen.findByRole('complementary', { name: 'Record' })
    expect(await within(panel).findByText('the whole of 1')).toBeDefined()
    await user.keyboard('j')
    expect(await within(panel).findByText('the whole of 2')).toBeDefined()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary', { name: 'Record' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    await user.keyboard('/')
    expect(document.activeElement).toBe(await bar())
  })

  it('of a million are a screenful of elements, with every row within reach', async () => {
    const { user, server } = shown({ rows: 1_000_000 })
    await screen.findByText('line 0')
    expect(screen.getAllByRole('row').length).toBeLessThan(40)
    act(() => screen.getByRole('grid').focus())
    await user.keyboard('{End}')
    expect(await screen.findByText('line 999999')).toBeDefined()
    expect(screen.getAllByRole('row').length).toBeLessThan(40)
    expect(server.of('GET', '/api/searches/s1/rows').length).toBeLessThan(6)
    await user.keyboard('{Home}')
    expect(await screen.findByText('line 0')).toBeDefined()
  })

  it('narrow the query by a value of a record', async () => {
    const { user } = shown()
    await user.click(await screen.findByText('line 1'))
    await user.click(await screen.findByRole('button', { name: 'Exclude message:disk full' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error AND NOT message:"disk full"')
    await user.click(screen.getByRole('button', { name: 'overheat' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toMatch(/AND overheat$/)
  })

  it('offer exports when the search is over, and not before', async () => {
    const { user } = shown({ mail: true })
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(item => item.getAttribute('href'))).toEqual(
      ['jsonl', 'csv', 'mbox'].map(format => `/api/searches/s1/export?format=${format}`),
    )
  })

  it('are saved under a name, with the query that found them', async () => {
    const { user, server } = shown()
    server.set({
      'POST /api/saved-searches': new Status(201, {
        id: 'x',
        name: 'Errors',
        created: '2026-11-22T00:00:00Z',
        query: {},
      }),
    })
    await user.click(await screen.findByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Save this search' }))
    await user.type(await screen.findByLabelText('Name'), 'Errors')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/saved-searches')[0]?.body).toMatchObject({
        name: 'Errors',
        query: { query: 'level:error', scope: 'plant-7' },
      }),
    )
  })

  it('become a route, whose secret is shown once', async () => {
    const { user, server } = shown({ from: '2026-11-22T08:00:00Z', to: '2026-11-22T10:00:00Z' })
    server.set({ 'POST /api/routes': new Status(201, { name: 'pager', actions: [], secret: 'c2VjcmV0' }) })
    await user.click(await screen.findByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Make it a standing route' }))
    await user.type(await screen.findByLabelText('Name'), 'pager')
    await user.type(screen.getByLabelText('Address'), 'oncall@example.org')
    await user.click(screen.getByRole('button', { name: 'Install' }))
    expect(await screen.findByText('c2VjcmV0')).toBeDefined()
    expect(server.of('POST', '/api/routes')[0]?.body).toEqual({
      name: 'pager',
      query: { query: 'level:error', scope: 'plant-7', mail: false },
      action: 'forward',
      target: 'oncall@example.org',
      epochs: 1,
    })
    await user.click(screen.getByRole('button', { name: 'I have kept it' }))
    await waitFor(() => expect(screen.queryByText('c2VjcmV0')).toBeNull())
  })

  it('wait for the first rows without looking empty', async () => {
    serve({ ...found(), 'GET /api/searches/s1/rows': NEVER })
    show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByRole('grid')
    expect((await screen.findAllByRole('gridcell', { name: 'Loading' })).length).toBe(3)
  })
})
