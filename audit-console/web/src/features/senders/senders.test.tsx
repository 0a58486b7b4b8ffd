import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve, Status } from '../../../test/server'
import SendersPage from './SendersPage'

afterEach(() => vi.unstubAllGlobals())

const press = { name: 'press-4', registered: true, state: 'complete', credentials: ['mqtt'] }

const open = async (answers: Record<string, unknown>) => {
  const server = serve({ 'GET /api/senders': [press], ...answers })
  const { user } = show(<SendersPage />)
  await user.click(await screen.findByRole('button', { name: 'Access of press-4 to the gateway' }))
  return { server, user, dialog: within(await screen.findByRole('dialog')) }
}

describe('access to the gateway', () => {
  it('is shown for each way, and a secret once', async () => {
    const { server, user, dialog } = await open({
      'POST /api/senders/credential': { name: 'press-4', kind: 'smtp', secret: 'correct horse' },
    })
    expect(dialog.getByRole('group', { name: 'MQTT password' }).textContent).toContain('given out')
    await user.click(within(dialog.getByRole('group', { name: 'SMTP password' })).getByText('Make one'))
    expect((await dialog.findByRole('status')).textContent).toMatch(/once.*correct horse/)
    expect(server.of('POST', '/api/senders/credential')[0]?.body).toEqual({ name: 'press-4', kind: 'smtp' })
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText('correct horse')).toBeNull())
  })

  it('can be taken away', async () => {
    const { server, user, dialog } = await open({ 'POST /api/senders/credential/remove': new Status(204) })
    server.set({ 'GET /api/senders': [{ ...press, credentials: [] }] })
    await user.click(dialog.getByRole('button', { name: 'Take away' }))
    await waitFor(() => expect(dialog.queryByText('given out')).toBeNull())
    expect(server.of('POST', '/api/senders/credential/remove')[0]?.body).toEqual({ name: 'press-4', kind: 'mqtt' })
  })

  it('that the gateway refuses says so', async () => {
    const { user, dialog } = await open({
      'POST /api/senders/credential': problem(502, { detail: 'The gateway does not let the console do this' }),
    })
    await user.click(within(dialog.getByRole('group', { name: 'HTTP token' })).getByText('Make one'))
    expect((await dialog.findByRole('alert')).textContent).toContain('does not let the console')
  })

  it('is for keepers', async () => {
    serve({ 'GET /api/senders': [press] })
    show(<SendersPage />, { roles: ['operator'] })
    await screen.findByText('press-4')
    expect(screen.queryByRole('button', { name: /Access/ })).toBeNull()
  })
})
