import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { noIndexes, noSweep, senderPage } from '../../../test/samples'
import type { Sender } from '@/shared/api/types'
import { problem, serve, Status } from '../../../test/server'
import SendersPage from './SendersPage'

afterEach(() => vi.unstubAllGlobals())

const press: Sender = { name: 'press-4', registered: true, state: 'complete', credentials: ['mqtt'] }

/** What the page asks for beside the list. */
const BESIDE = {
  'GET /api/senders/rules': { senders: [] },
  'GET /api/senders/indexes': noIndexes,
  'GET /api/senders/sweep': noSweep,
}

const open = async (answers: Record<string, unknown>) => {
  const server = serve({ ...BESIDE, 'GET /api/senders': senderPage([press]), ...answers })
  const { user } = show(<SendersPage />)
  await user.click(await screen.findByRole('button', { name: 'Access of press-4 to the gateway' }))
  return { server, user, dialog: within(await screen.findByRole('dialog')) }
}

describe('rules of keywords', () => {
  const rules = {
    next: { rules: 2, from: '2026-11' },
    senders: [
      { name: 'gate-9', later: '2026-11-22T08:00:00Z' },
      { name: 'press-4', former: '2026-11-21T10:00:00Z', later: '2026-11-22T10:00:00Z' },
      { name: 'press-5', former: '2026-11-22T11:00:00Z', later: '2026-11-22T10:00:00Z' },
      { name: 'quiet-1' },
      { name: '', former: '2026-11-20T10:00:00Z' },
    ],
  }
  const shown = async (answer: unknown) => {
    serve({ 'GET /api/senders': senderPage([press]), 'GET /api/senders/rules': answer })
    show(<SendersPage />, { roles: ['operator'] })
    return within(await screen.findByRole('region', { name: 'Rules of keywords' }))
  }

  it('are told of each sender, those first that still seal by rules 1', async () => {
    const region = await shown(rules)
    const rows = (await region.findAllByRole('row')).slice(1).map(row => row.textContent)
    expect(
      rows.map(row => /^(press-5|Mail that no sender signed|gate-9|press-4|quiet-1)/.exec(row ?? '')?.[0]),
    ).toEqual(['press-5', 'Mail that no sender signed', 'gate-9', 'press-4', 'quiet-1'])
    expect(region.getAllByText('rules 1')).toHaveLength(2)
    expect(region.getAllByText('later rules')).toHaveLength(2)
    expect(region.getByText(/2 senders were last seen to seal by rules 1, 1 sender has not been seen/)).toBeDefined()
    expect(region.getByText(/use them from 2026-11 on; rules 1 are taken, too/)).toBeDefined()
  })

  it('that are given up say from when', async () => {
    const region = await shown({ ...rules, next: { from: '2026-11', onlyFrom: '2027-01' } })
    expect(await region.findByText(/which this console does not know.*from 2027-01 on.*nothing else/)).toBeDefined()
  })

  it('of a tenant that has rules 1 alone say so', async () => {
    const region = await shown({ senders: [{ name: 'press-4', former: '2026-11-21T10:00:00Z' }] })
    expect(await region.findByText(/has rules 1 alone/)).toBeDefined()
    expect(region.queryByRole('row')).toBeNull()
  })

  it('that the gateway does not tell leave the senders as they are', async () => {
    const region = await shown(problem(502, { detail: 'the gateway does not answer' }))
    expect((await region.findByRole('alert')).textContent).toContain('does not answer')
    expect(screen.getByText('press-4')).toBeDefined()
  })

  it('of no sender are none', async () => {
    const region = await shown({ senders: [] })
    expect(await region.findByText('Nothing with keywords has arrived')).toBeDefined()
  })
})

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
    server.set({ 'GET /api/senders': senderPage([{ ...press, credentials: [] }]) })
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
    serve({ ...BESIDE, 'GET /api/senders': senderPage([press]) })
    show(<SendersPage />, { roles: ['operator'] })
    await screen.findByText('press-4')
    expect(screen.queryByRole('button', { name: /Access/ })).toBeNull()
  })
})

describe('a sender', () => {
  const register = async (answers: Record<string, unknown>) => {
    const server = serve({ ...BESIDE, 'GET /api/senders': senderPage([]), ...answers })
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
    const server = serve({
      ...BESIDE,
      'GET /api/senders': senderPage([press]),
      'POST /api/senders/remove': new Status(204),
    })
    const { user } = show(<SendersPage />)
    await user.click(await screen.findByRole('button', { name: 'Remove press-4' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/gaps are no longer noticed/)).toBeDefined()
    expect(server.of('POST', '/api/senders/remove')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(server.of('POST', '/api/senders/remove')[0]?.body).toEqual({ name: 'press-4' }))
  })
})

describe('many senders', () => {
  const many = (count: number, from = 0): Sender[] =>
    Array.from({ length: count }, (_, i) => ({ name: `s-${from + i}`, registered: true, state: 'complete' }))
  const served = (answer: unknown = senderPage(many(50), { total: 10_000, found: 120, states: { silent: 7 } })) => {
    const server = serve({ 'GET /api/senders': answer, 'GET /api/senders/rules': { senders: [] } })
    const view = show(<SendersPage />, { roles: ['operator'], path: '/senders' })
    const asked = () => server.of('GET', '/api/senders').at(-1)?.search
    return { server, asked, ...view }
  }

  it('are asked for by page, and say which is shown', async () => {
    const { asked, user, server } = served()
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of senders' }))
    expect(pages.getByRole('status').textContent).toBe('1 to 50 of 120')
    server.set({ 'GET /api/senders': senderPage(many(50, 50), { total: 10_000, found: 120 }) })
    await user.click(pages.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('s-50')).toBeDefined()
    expect(asked()?.get('from')).toBe('50')
    expect(screen.getByText('51 to 100 of 120')).toBeDefined()
  })

  it('are found by text and state, from the first page on', async () => {
    const { asked, user } = served()
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    await user.type(screen.getByRole('textbox', { name: /Part of a name/ }), 'press')
    await waitFor(() => expect(asked()?.get('text')).toBe('press'))
    expect(asked()?.get('from')).toBe('0')
    await user.click(screen.getByRole('combobox', { name: 'Chain' }))
    await user.click(await screen.findByRole('option', { name: 'Silent (7)' }))
    await waitFor(() => expect(asked()?.get('state')).toBe('silent'))
  })

  it('of a state are where other pages link to', async () => {
    const server = serve({ 'GET /api/senders': senderPage([press]), 'GET /api/senders/rules': { senders: [] } })
    const { router } = show(<SendersPage />, { roles: ['operator'], path: '/senders' })
    await screen.findByText('press-4')
    await router.navigate('/senders?state=gaps')
    await waitFor(() => expect(server.of('GET', '/api/senders').at(-1)?.search.get('state')).toBe('gaps'))
    await router.navigate('/senders?state=%3Cb%3E')
    await waitFor(() => expect(server.of('GET', '/api/senders').at(-1)?.search.get('state')).toBeNull())
  })

  it('that are none of those wanted are not “no senders”', async () => {
    served(senderPage([], { total: 9, found: 0 }))
    expect(await screen.findByText('No sender is like this')).toBeDefined()
    expect(screen.queryByText('No senders yet')).toBeNull()
  })

  it('have the gateway’s word alone for when they were heard of', async () => {
    served(senderPage([{ ...press, lastSeen: '2026-11-22T10:00:00Z' }]))
    expect(await screen.findByRole('columnheader', { name: 'Last heard of' })).toBeDefined()
    expect(screen.getByText(/the gateway’s telling.*no proof/)).toBeDefined()
  })

  it('of a gateway that was not asked are not said to be unseen', async () => {
    served(senderPage([{ name: 'press-4', registered: true, state: 'unknown' }], { known: false }))
    expect((await screen.findByRole('alert')).textContent).toContain('did not say')
    expect(screen.queryByText(/has not seen it/)).toBeNull()
    expect(within(screen.getByRole('table')).queryByText('Unknown')).toBeNull()
  })
})
