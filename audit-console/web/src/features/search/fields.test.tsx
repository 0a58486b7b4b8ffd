import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { bar, found } from '../../../test/searchPage'
import { serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp.exe'

const FIELDS = {
  counted: 3,
  total: 4,
  fields: [
    { column: 'sender', name: 'sender', isFact: true, rows: 3, distinct: 1 },
    { column: 'field-0', name: 'status', isFact: false, rows: 2, distinct: 2 },
    { column: 'field-1', name: HOSTILE, isFact: false, rows: 1, distinct: 1 },
  ],
}
const STATUS = {
  column: 'field-0',
  name: 'status',
  counted: 3,
  rows: 2,
  distinct: 2,
  numbers: { minimum: '200', median: '200', maximum: '500' },
  values: [
    { value: '200', rows: 1, term: 'status:200' },
    { value: HOSTILE + 'x'.repeat(10_000_000), rows: 1 },
  ],
}

async function opened() {
  const server = serve({
    ...found(),
    'GET /api/searches/s1/fields': FIELDS,
    'GET /api/searches/s1/fields/field-0': STATUS,
    'PUT /api/table-views': new Status(204),
  })
  const page = show(<SearchPage />, { path: '/searches/s1' })
  await screen.findByText('line 0')
  const button = screen.getByRole('button', { name: 'Fields' })
  // As they were in the search before.
  if (button.getAttribute('aria-pressed') === 'false') {
    await page.user.click(button)
  }
  const panel = within(await screen.findByRole('region', { name: 'Fields of what was found' }, { timeout: 20_000 }))
  await panel.findByText(/Of the first 3 of 4 hits/)
  return { server, panel, ...page }
}

describe('the fields of what was found', () => {
  it('say how many rows have them, and which values', async () => {
    const { panel, user } = await opened()
    await user.click(panel.getByRole('button', { name: /^status/ }))
    const values = within(await panel.findByRole('list', { name: /Values of status/ }))
    expect(values.getByText('200')).toBeDefined()
    expect(panel.getByText('median').nextElementSibling?.textContent).toBe('200')
    expect(panel.getByText('maximum').nextElementSibling?.textContent).toBe('500')
  })

  it('narrow the query by a value, or search for it at once', async () => {
    const { panel, user, server } = await opened()
    await user.click(panel.getByRole('button', { name: /^status/ }))
    await user.click(await panel.findByRole('button', { name: 'Exclude status:200' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error AND NOT status:200')
    server.set({ 'POST /api/searches': new Status(201, { ...found()['GET /api/searches/s1'], id: 's2' }) })
    await user.click(panel.getByRole('button', { name: /Search only for status:200/ }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error AND status:200')
    await vi.waitFor(() =>
      expect(server.of('POST', '/api/searches')[0]?.body).toMatchObject({ query: 'level:error AND status:200' }),
    )
  })

  it('hide nothing of a hostile name or value, and run nothing of it', async () => {
    const { panel, user } = await opened()
    await user.click(panel.getByRole('button', { name: /^status/ }))
    await panel.findByRole('list', { name: /Values of status/ })
    expect(document.querySelector('img[src=x]')).toBeNull()
    expect(document.body.outerHTML).not.toMatch(/\u202e/)
    expect(panel.getAllByText(/‹U\+202E›/).length).toBeGreaterThan(1)
  })

  it('become columns, which are kept for the scope', async () => {
    const { panel, user, server } = await opened()
    await user.click(panel.getByRole('button', { name: 'Show status as a column' }))
    expect(await screen.findByRole('columnheader', { name: 'status' })).toBeDefined()
    expect(server.of('PUT', '/api/table-views')[0]?.body).toMatchObject({
      scope: 'plant-7',
      mail: false,
      view: { sort: '-time', lines: 1 },
    })
    await vi.waitFor(() =>
      expect(server.of('GET', '/api/searches/s1/rows').some(call => call.search.get('fields') === '0')).toBe(true),
    )
    await user.click(panel.getByRole('button', { name: 'Take the column status away' }))
    expect(screen.queryByRole('columnheader', { name: 'status' })).toBeNull()
  })

  it('are closed again, and the keys move in the list', async () => {
    const { panel, user } = await opened()
    await user.click(panel.getByRole('button', { name: 'Close the fields' }))
    expect(screen.queryByRole('region', { name: 'Fields of what was found' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })
})

describe('the list', () => {
  it('is sorted by a click on a name, and a row that is open stays open', async () => {
    const { user, server } = {
      server: serve({ ...found(), 'PUT /api/table-views': new Status(204) }),
      ...show(<SearchPage />, { path: '/searches/s1' }),
    }
    await screen.findByText('line 1')
    expect(screen.getByRole('columnheader', { name: /^Time/ }).getAttribute('aria-sort')).toBe('descending')
    await user.click(screen.getByText('line 1'))
    await screen.findByText('the whole of 1')
    server.set({ 'GET /api/searches/s1/rows/1/place': { place: 2 } })
    await user.click(within(screen.getByRole('columnheader', { name: 'Sender' })).getByRole('button'))
    expect(await screen.findByRole('heading', { name: 'Record 3 of 3' })).toBeDefined()
    expect(screen.getByText('the whole of 1')).toBeDefined()
    expect(server.of('GET', '/api/searches/s1/rows').at(-1)?.search.get('sort')).toBe('sender')
  })

  it('stays as it is while hits arrive behind who reads, until it is told', async () => {
    const server = serve(found({ rows: 3, state: 'running' }))
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByText('line 1')
    act(() => screen.getByRole('grid').focus())
    await user.keyboard('j')
    server.set(found({ rows: 5, state: 'running' }))
    const state = found({ rows: 5, state: 'running' })['GET /api/searches/s1']
    act(() => Events.last().state(state))
    const more = await screen.findByRole('button', { name: '2 more hits: put them in' })
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4')
    await user.click(more)
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('6')
  })
})
