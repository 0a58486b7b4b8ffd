import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve } from '../../../test/server'
import LogPage from './LogPage'

afterEach(() => vi.unstubAllGlobals())

const entry = { number: 7, time: '2026-11-22T09:00:00Z', actor: 'ada', kind: 'trapdoor', details: [], sealed: true }
const page = { size: 8, entries: [entry] }
const OPEN = 'Open the sealed details of entry 7'

describe('entries', () => {
  it('are looked for by text, which is in no address, by scope and by time', async () => {
    const server = serve({ 'POST /api/log/search': page })
    const { user } = show(<LogPage />, { roles: ['keeper'] })
    await screen.findByText('sealed details')
    await user.type(screen.getByLabelText('Text'), ' director ')
    await user.type(screen.getByLabelText('Scope'), 'plant-7')
    fireEvent.change(screen.getByLabelText(/^From/), { target: { value: '2026-11-22T09:00' } })
    await waitFor(() =>
      expect(server.of('POST', '/api/log/search').at(-1)?.body).toEqual({
        limit: 50,
        text: 'director',
        scope: 'plant-7',
        from: new Date('2026-11-22T09:00').toISOString(),
      }),
    )
    const lines = screen.getByRole('link', { name: 'As JSON lines' }).getAttribute('href') ?? ''
    expect(lines).toMatch(/^\/api\/log\/lines\?scope=plant-7&from=/)
    expect(lines).not.toContain('director')
  })

  it('that may be among older ones are not said to be missing', async () => {
    serve({ 'POST /api/log/search': { size: 30_000, entries: [], next: 10_000 } })
    show(<LogPage />, { roles: ['keeper'] })
    expect(await screen.findByText(/None so far among the newest entries/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Load older entries' })).toBeDefined()
  })
})

describe('sealed details', () => {
  it('are opened for an approver, who is told that it is logged', async () => {
    const server = serve({
      'POST /api/log/search': page,
      'POST /api/log/7/details': [{ name: 'keyword', value: 'salary' }],
    })
    const { user } = show(<LogPage />, { roles: ['approver'] })
    await user.click(await screen.findByRole('button', { name: OPEN }))
    const opened = await screen.findByRole('group', { name: 'Sealed details of entry 7' })
    expect(opened.textContent).toContain('keyword salary')
    expect(await screen.findByText('That you opened it is an entry of the log')).toBeDefined()
    expect(server.of('POST', '/api/log/7/details')).toHaveLength(1)
  })

  it('are not offered to others', async () => {
    serve({ 'POST /api/log/search': page })
    show(<LogPage />, { roles: ['auditor', 'keeper'] })
    await screen.findByText('sealed details')
    expect(screen.queryByRole('button', { name: OPEN })).toBeNull()
  })

  it('that cannot be opened say why', async () => {
    serve({
      'POST /api/log/search': page,
      'POST /api/log/7/details': problem(404, { detail: 'Nothing is sealed in it' }),
    })
    const { user } = show(<LogPage />)
    await user.click(await screen.findByRole('button', { name: OPEN }))
    expect((await screen.findByRole('alert')).textContent).toContain('Nothing is sealed in it')
  })
})
