import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve, Status } from '../../../test/server'
import ReadersPage from './ReadersPage'

const carl = { name: 'carl', attributes: 'role:dpo, site:plant-7', searches: false, epochs: ['2026-10', '2026-11'] }
const file = () => new Response('sealed', { headers: { 'Content-Disposition': 'attachment; filename="carl.vgr"' } })

beforeEach(() => {
  URL.createObjectURL = () => 'blob:test'
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})
afterEach(() => vi.unstubAllGlobals())

const open = async (button: string, answers: Record<string, unknown> = {}) => {
  const server = serve({ 'GET /api/readers': [carl], ...answers })
  const { user } = show(<ReadersPage />)
  await user.click(await screen.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  const fill = (label: RegExp | string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } })
  return { server, user, dialog, fill }
}

describe('a key', () => {
  it('is issued under a passphrase that was typed twice', async () => {
    const { server, user, dialog, fill } = await open('Issue a key', { 'POST /api/readers/issue': file })
    const issue = dialog.getByRole<HTMLButtonElement>('button', { name: 'Issue and download' })
    fill(/^Reader/, ' dora ')
    fill(/^Attributes/, 'role:auditor')
    fill(/^Epochs/, '2026-11..2027-01')
    fill(/^Passphrase/, 'short')
    expect(dialog.getByText('At least 8 characters')).toBeDefined()
    fill(/^Passphrase/, 'correct horse')
    fill(/^Again/, 'correct house')
    expect(dialog.getByText('It is not the same')).toBeDefined()
    expect(issue.disabled).toBe(true)
    fill(/^Again/, 'correct horse')
    fill(/^Epochs/, 'November')
    expect(dialog.getByText(/Such as 2026-11/)).toBeDefined()
    expect(issue.disabled).toBe(true)
    fill(/^Epochs/, '2026-11..2027-01')
    await user.click(issue)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.of('POST', '/api/readers/issue')[0]?.body).toEqual({
      name: 'dora',
      attributes: 'role:auditor',
      epochs: '2026-11..2027-01',
      search: false,
      passphrase: 'correct horse',
    })
  })

  it('to search with is issued when that was ticked, and stays ticked for who searches', async () => {
    const { server, user, dialog, fill } = await open('Issue carl a key again', {
      'GET /api/readers': [{ ...carl, searches: true }],
      'POST /api/readers/issue': file,
    })
    const tick = dialog.getByLabelText<HTMLInputElement>(/^May search/)
    expect(tick.checked).toBe(true)
    fill(/^Passphrase/, 'correct horse')
    fill(/^Again/, 'correct horse')
    await user.click(dialog.getByRole('button', { name: 'Issue and download' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/readers/issue')[0]?.body).toMatchObject({ name: 'carl', search: true }),
    )
  })

  it('is issued again for another epoch to who has one, with what he reads by', async () => {
    const { server, user, dialog, fill } = await open('Issue carl a key again', { 'POST /api/readers/issue': file })
    expect(dialog.getByText('Had keys for 2026-10, 2026-11')).toBeDefined()
    expect(dialog.getByLabelText<HTMLInputElement>(/^Reader/).readOnly).toBe(true)
    fill(/^Epochs/, '2026-12')
    fill(/^Passphrase/, 'correct horse')
    fill(/^Again/, 'correct horse')
    await user.click(dialog.getByRole('button', { name: 'Issue and download' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/readers/issue')[0]?.body).toEqual({
        name: 'carl',
        attributes: 'role:dpo, site:plant-7',
        epochs: '2026-12',
        search: false,
        passphrase: 'correct horse',
      }),
    )
  })

  it('that cannot be issued says why, and what was typed is still there', async () => {
    const { user, dialog, fill } = await open('Issue carl a key again', {
      'POST /api/readers/issue': problem(400, { detail: 'epochs: 2019-01 is before the first' }),
    })
    fill(/^Epochs/, '2019-01')
    fill(/^Passphrase/, 'correct horse')
    fill(/^Again/, 'correct horse')
    await user.click(dialog.getByRole('button', { name: 'Issue and download' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('2019-01 is before the first')
    expect(dialog.getByLabelText<HTMLInputElement>(/^Epochs/).value).toBe('2019-01')
  })

  it('is revoked only when that was confirmed, and what it does not do is said', async () => {
    const { server, user, dialog } = await open('Revoke carl', { 'POST /api/readers/revoke': new Status(204) })
    expect(dialog.getByText(/a key cannot be called back/)).toBeDefined()
    expect(server.of('POST', '/api/readers/revoke')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(server.of('POST', '/api/readers/revoke')[0]?.body).toEqual({ name: 'carl' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
