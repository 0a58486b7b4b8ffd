import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { approval } from '../../../test/samples'
import { problem, serve } from '../../../test/server'
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
})
