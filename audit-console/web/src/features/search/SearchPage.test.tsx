import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { BASE, search } from '../../../test/samples'
import { bar, found } from '../../../test/searchPage'
import { problem, serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

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

describe('examples', () => {
  it('lead to the urgent mail in the demonstration', async () => {
    const server = serve({ ...BASE })
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
