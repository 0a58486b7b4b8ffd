import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { approval } from '../../../test/samples'
import { problem, serve, Status } from '../../../test/server'
import ApprovalsPage, { ordered } from './ApprovalsPage'

afterEach(() => vi.unstubAllGlobals())

describe('requests', () => {
  it('that wait for this person come first, then the newest', () => {
    const list = [
      approval({ id: 'old', state: 'approved', requested: '2026-11-01T00:00:00Z' }),
      approval({ id: 'new', state: 'refused', requested: '2026-11-20T00:00:00Z' }),
      approval({ id: 'mine', mine: true, requested: '2026-11-22T00:00:00Z' }),
      approval({ id: 'theirs', requested: '2026-11-10T00:00:00Z' }),
    ]
    expect(ordered(list).map(({ id }) => id)).toEqual(['theirs', 'mine', 'new', 'old'])
  })

  it('of one’s own cannot be decided', async () => {
    serve({ 'GET /api/approvals': [approval({ mine: true })] })
    show(<ApprovalsPage />)
    expect(await screen.findByText(/somebody else has to decide/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  it('of others are decided by approvers only', async () => {
    serve({ 'GET /api/approvals': [approval()] })
    show(<ApprovalsPage />, { roles: ['auditor'] })
    await screen.findByText('salary')
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  it('are refused with a reason, never without', async () => {
    const server = serve({
      'GET /api/approvals': [approval()],
      'POST /api/approvals/a1/refuse': approval({ state: 'refused' }),
    })
    const { user } = show(<ApprovalsPage />)
    await user.click(await screen.findByRole('button', { name: 'Refuse' }))
    const dialog = await screen.findByRole('dialog')
    const refuse = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Refuse' })
    expect(refuse.disabled).toBe(true)
    await user.type(within(dialog).getByLabelText(/Reason/), 'No purpose')
    await user.click(refuse)
    await waitFor(() =>
      expect(server.of('POST', '/api/approvals/a1/refuse')[0]?.body).toEqual({ reason: 'No purpose' }),
    )
  })

  it('that somebody else has decided say so, in the dialog', async () => {
    serve({
      'GET /api/approvals': [approval()],
      'POST /api/approvals/a1/approve': problem(409, { detail: 'grace has refused it' }),
    })
    const { user } = show(<ApprovalsPage />)
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }))
    expect((await within(dialog).findByRole('alert')).textContent).toMatch(/changed meanwhile.*grace has refused it/)
  })

  it('say how the query is understood and whose envelopes it is about, and take both along', async () => {
    const terms = [
      { kind: 'term', field: 'word', text: 'salary' },
      { kind: 'operator', field: '', text: 'AND' },
      { kind: 'operator', field: '', text: 'NOT' },
      { kind: 'term', field: 'word', text: 'bonus' },
    ] as const
    const mine = approval({ mine: true, state: 'approved', terms: [...terms], senders: ['hr-1', 'hr-2'] })
    serve({ 'GET /api/approvals': [mine] })
    const { user, router } = show(<ApprovalsPage />)
    const group = await screen.findByRole('group', { name: 'How the query is understood' })
    expect(group.textContent).toBe('Searched:word salaryANDNOTword bonus')
    expect(screen.getByText('hr-1, hr-2')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Put it into the search bar' }))
    expect(router.state.location.state).toMatchObject({ query: { senders: ['hr-1', 'hr-2'] } })
  })

  it('of a query that is refused by now say so', async () => {
    serve({ 'GET /api/approvals': [approval({ query: 'a -b\u202e', notes: ['It cannot be searched any more: x.'] })] })
    show(<ApprovalsPage />)
    expect(await screen.findByText('It cannot be searched any more: x.')).toBeDefined()
    expect(screen.getByText('a -b‹U+202E›')).toBeDefined()
  })

  it('of a route say what it does, and once approved install exactly that', async () => {
    const route = { name: 'on-call', action: 'webhook', target: 'https://pager.example.org/' } as const
    const mine = approval({ mine: true, purpose: 'route', state: 'approved', mail: true, route })
    const server = serve({
      'GET /api/approvals': [{ ...mine, epochs: ['2026-11', '2026-12'] }],
      'POST /api/routes': new Status(201, { name: 'on-call', actions: [], secret: 'c2VjcmV0' }),
    })
    const { user } = show(<ApprovalsPage />, { roles: ['auditor'] })
    expect(await screen.findByText('on-call: webhook https://pager.example.org/')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Put it into the search bar' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Install the route' }))
    expect(await screen.findByText('c2VjcmV0')).toBeDefined()
    expect(server.of('POST', '/api/routes')[0]?.body).toEqual({
      ...route,
      query: { query: 'salary', scope: 'plant-7', mail: true },
      epochs: 2,
    })
    await user.click(screen.getByRole('button', { name: 'I have kept it' }))
    await waitFor(() => expect(screen.queryByText('c2VjcmV0')).toBeNull())
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Install the route' }).disabled).toBe(true)
  })
})
