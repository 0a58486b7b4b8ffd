import { fireEvent, screen, waitFor, within } from '@testing-library/react'
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

describe('a sender', () => {
  const register = async (answers: Record<string, unknown>) => {
    const server = serve({ 'GET /api/senders': [], ...answers })
    const { user } = show(<SendersPage />)
    await user.click(await screen.findByRole('button', { name: 'Register a sender' }))
    const dialog = within(await screen.findByRole('dialog'))
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Register' })
    expect(button.disabled).toBe(true)
    fireEvent.change(dialog.getByLabelText(/^Public key/), { target: { value: ' veilgate-identity AAAA \n' } })
    await user.click(button)
    return { server, user, dialog }
  }

  it('is registered with what its device prints', async () => {
    const { server } = await register({ 'POST /api/senders': new Status(201, press) })
    expect(await screen.findByText(/press-4 is registered; senders learn of it/)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.of('POST', '/api/senders')[0]?.body).toEqual({ publicKey: 'veilgate-identity AAAA' })
  })

  it('takes the place of another one of its name only where somebody says so', async () => {
    const { server, user, dialog } = await register({
      'POST /api/senders': problem(409, { detail: 'press-4 has another key' }),
    })
    expect((await dialog.findByRole('alert')).textContent).toContain('press-4 has another key')
    server.set({ 'POST /api/senders': new Status(201, press) })
    await user.click(dialog.getByLabelText(/in place of the key that is there/))
    await user.click(dialog.getByRole('button', { name: 'Replace its key' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/senders').at(-1)?.body).toEqual({
        publicKey: 'veilgate-identity AAAA',
        replace: true,
      }),
    )
  })

  it('is removed when that was confirmed', async () => {
    const server = serve({ 'GET /api/senders': [press], 'POST /api/senders/remove': new Status(204) })
    const { user } = show(<SendersPage />)
    await user.click(await screen.findByRole('button', { name: 'Remove press-4' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/gaps are no longer noticed/)).toBeDefined()
    expect(server.of('POST', '/api/senders/remove')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(server.of('POST', '/api/senders/remove')[0]?.body).toEqual({ name: 'press-4' }))
  })
})
