import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { bar, found } from '../../../test/searchPage'
import { NEVER, problem, serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

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

  it('of a search whose trapdoors are being issued say how many there are', async () => {
    shown({ rows: 0, state: 'issuing', envelopes: 0, envelopesDone: 0, trapdoors: 240, issued: 60 })
    expect(await screen.findByText('60 of 240 trapdoors')).toBeDefined()
    expect(screen.getByRole('progressbar', { name: 'Trapdoors issued' }).getAttribute('aria-valuenow')).toBe('25')
    expect(screen.queryByText('Nothing was found')).toBeNull()
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
    await user.click(await screen.findByRole('button', { name: 'Exclude message:"disk full"' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error AND NOT message:"disk full"')
    await user.click(screen.getByRole('button', { name: 'word:overheat' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toMatch(/AND overheat$/)
  })

  it('that are none can be exported, too: as evidence of nothing', async () => {
    const { user } = shown({ rows: 0, envelopesFound: 0 })
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    expect(await screen.findByText(/says that nothing was found/)).toBeDefined()
    expect(await screen.findAllByRole('menuitem')).toHaveLength(2)
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
