import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve } from '../../../test/server'
import { problemOf } from './BackupDialog'
import KeysPage from './KeysPage'

afterEach(() => vi.unstubAllGlobals())

const signatures = ['Ed25519', 'ML-DSA-65', 'SLH-DSA-SHA2-128f']
const keys = { locked: false, tenant: 'acme', authority: 'SHA256:9f4c', signatures, epochs: 'monthly', keys: [] }
const rules = {
  nextEpoch: '2026-12',
  situation: ['Senders make keywords by rules 1.'],
  room: { former: 0, mostFormer: 1024, bytes: 100, mostBytes: 16777216 },
}
const locked = { ...keys, locked: true }

describe('locked keys', () => {
  it('are opened by the passphrase, which does not stay', async () => {
    const server = serve({ 'GET /api/keys': locked, 'POST /api/keys/unlock': keys })
    const { user } = show(<KeysPage />)
    await user.type(await screen.findByLabelText('Passphrase of the key store'), 'open sesame')
    server.set({ 'GET /api/keys': keys, 'GET /api/keys/rules': rules })
    await user.click(screen.getByRole('button', { name: 'Open the keys' }))
    expect(await screen.findByRole('button', { name: 'Rotate keys' })).toBeDefined()
    expect(server.of('POST', '/api/keys/unlock')[0]?.body).toEqual({ passphrase: 'open sesame' })
  })

  it('say when it was the wrong one, and empty the field', async () => {
    serve({ 'GET /api/keys': locked, 'POST /api/keys/unlock': problem(403) })
    const { user } = show(<KeysPage />)
    const field = await screen.findByLabelText<HTMLInputElement>('Passphrase of the key store')
    await user.type(field, 'wrong')
    await user.click(screen.getByRole('button', { name: 'Open the keys' }))
    expect(await screen.findByText('This is not the passphrase')).toBeDefined()
    expect(field.value).toBe('')
  })
})

describe('open keys', () => {
  it('say which signatures the authority makes', async () => {
    serve({ 'GET /api/keys': keys, 'GET /api/keys/rules': rules })
    show(<KeysPage />)
    expect(await screen.findByText('Ed25519, ML-DSA-65, SLH-DSA-SHA2-128f')).toBeDefined()
  })

  it('are rotated only after a word was typed', async () => {
    const server = serve({ 'GET /api/keys': keys, 'GET /api/keys/rules': rules, 'POST /api/keys/rotate': keys })
    const { user } = show(<KeysPage />)
    await user.click(await screen.findByRole('button', { name: 'Rotate keys' }))
    const rotate = await screen.findByRole<HTMLButtonElement>('button', { name: 'Rotate' })
    expect(rotate.disabled).toBe(true)
    await user.click(screen.getByLabelText('Searching'))
    await user.type(screen.getByLabelText(/to confirm/), 'rotate')
    await user.click(rotate)
    await waitFor(() => expect(server.of('POST', '/api/keys/rotate')[0]?.body).toEqual({ kinds: ['index'] }))
  })

  it('are backed up with a threshold that can be met', () => {
    expect(problemOf(5, 3)).toBeUndefined()
    expect(problemOf(3, 3)).toBeUndefined()
    for (const [shares, threshold] of [
      [3, 4],
      [1, 1],
      [21, 3],
      [5, 1],
      ['', 2],
    ] as const) {
      expect(problemOf(shares, threshold)).toBeDefined()
    }
  })
})
