import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve, Status } from '../../../test/server'
import MailUsersPage from './MailUsersPage'

afterEach(() => vi.unstubAllGlobals())

const link = {
  state: 'open',
  created: '2026-11-22T09:00:00Z',
  createdBy: 'kim',
  expires: '2026-11-23T09:00:00Z',
}
const ada = {
  address: 'ada@acme.example',
  scope: 'private',
  certificate: 'c0ffee'.repeat(10),
  notAfter: '2031-11-22T09:00:00Z',
  issuedHere: true,
  link: { ...link, state: 'received', used: '2026-11-22T10:00:00Z' },
}
const users = { imap: 'mail.acme.example:993', smtp: 'proxy.acme.example:2525', users: [ada] }
const made = {
  address: 'bob@acme.example',
  link: 'https://audit.acme.example/enrolment#secret-of-the-link',
  passphrase: '7K2PM-QX4RT',
  expires: '2026-11-23T09:00:00Z',
}

const open = async (button: string, answers: Record<string, unknown> = {}) => {
  const server = serve({ 'GET /api/mail-users': users, ...answers })
  const { user } = show(<MailUsersPage />)
  await user.click(await screen.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  return { server, user, dialog }
}

describe('a user of mail', () => {
  it('who uses the link is seen on a page that was left open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const server = serve({
        'GET /api/mail-users': { users: [{ address: 'bob@acme.example', issuedHere: true, link }] },
      })
      show(<MailUsersPage />)
      await screen.findByText('not used yet')
      server.set({ 'GET /api/mail-users': users })
      await vi.advanceTimersByTimeAsync(31_000)
      expect(await screen.findByText('used')).toBeDefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is enrolled with the known servers, and link and passphrase are shown once', async () => {
    const { server, user, dialog } = await open('Enrol a user', {
      'POST /api/mail-users/enrol': new Status(201, made),
    })
    fireEvent.change(dialog.getByLabelText(/^Address/), { target: { value: ' bob@acme.example ' } })
    await user.click(dialog.getByRole('button', { name: 'Enrol' }))
    const given = within(await screen.findByRole('dialog', { name: /on two ways/ }))
    expect(server.of('POST', '/api/mail-users/enrol')[0]?.body).toEqual({
      address: 'bob@acme.example',
      imap: 'mail.acme.example:993',
      smtp: 'proxy.acme.example:2525',
      scope: '',
      key: 'rsa-3072',
      renew: false,
      anyDomain: false,
    })
    expect(within(given.getByRole('group', { name: 'The link' })).getByText(made.link)).toBeDefined()
    expect(within(given.getByRole('group', { name: 'The passphrase' })).getByText(made.passphrase)).toBeDefined()
    await user.click(given.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText(made.passphrase)).toBeNull())
    expect(document.body.textContent).not.toContain('secret-of-the-link')
  })

  it('who made the key hands in a request, and has no passphrase', async () => {
    const { server, user, dialog } = await open('Enrol a user', {
      'POST /api/mail-users/enrol': new Status(201, { ...made, passphrase: undefined }),
    })
    fireEvent.change(dialog.getByLabelText(/^Address/), { target: { value: 'bob@acme.example' } })
    await user.click(dialog.getByRole('button', { name: /own key/ }))
    fireEvent.change(dialog.getByLabelText(/^Certificate request/), { target: { value: '-----BEGIN\n' } })
    await user.click(dialog.getByRole('button', { name: 'Enrol' }))
    await screen.findByText(/no passphrase: the user made the key/)
    const body = server.of('POST', '/api/mail-users/enrol')[0]?.body
    expect(body).toMatchObject({ request: '-----BEGIN' })
    expect(body).not.toHaveProperty('key')
  })

  it('of another domain has to be meant', async () => {
    const { server, user, dialog } = await open('Enrol a user', {
      'POST /api/mail-users/enrol': problem(409, {
        type: 'urn:veilgate:problem:foreign-domain',
        detail: 'other.example is none of the tenant’s mail domains',
      }),
    })
    expect(dialog.queryByLabelText(/^I mean/)).toBeNull()
    fireEvent.change(dialog.getByLabelText(/^Address/), { target: { value: 'bob@other.example' } })
    await user.click(dialog.getByRole('button', { name: 'Enrol' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Not one of your mail domains')
    await user.click(await dialog.findByLabelText(/^I mean/))
    server.set({ 'POST /api/mail-users/enrol': new Status(201, made) })
    await user.click(dialog.getByRole('button', { name: 'Enrol' }))
    await screen.findByText(made.link)
    expect(server.of('POST', '/api/mail-users/enrol')[1]?.body).toMatchObject({ anyDomain: true })
  })

  it('is renewed under the address and in the scope that are there', async () => {
    const { server, user, dialog } = await open('Renew ada@acme.example', {
      'POST /api/mail-users/enrol': new Status(201, made),
    })
    expect(dialog.getByLabelText<HTMLInputElement>(/^Address/).readOnly).toBe(true)
    expect(dialog.getByText(/until the new link is used/)).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Renew' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/mail-users/enrol')[0]?.body).toMatchObject({
        address: 'ada@acme.example',
        scope: 'private',
        renew: true,
      }),
    )
  })

  it('has the certificate taken back only when that was confirmed', async () => {
    const { server, user, dialog } = await open('Take back ada@acme.example', {
      'POST /api/mail-users/withdraw': new Status(204),
    })
    expect(dialog.getByText(/stays readable to whoever has the key/)).toBeDefined()
    expect(server.of('POST', '/api/mail-users/withdraw')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Take back' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/mail-users/withdraw')[0]?.body).toEqual({ address: 'ada@acme.example' }),
    )
  })
})

describe('a link', () => {
  it.each([
    ['open', 'not used yet'],
    ['received', 'used'],
    ['lapsed', 'over, never used'],
    ['cancelled', 'cancelled'],
  ])('that is %s is shown as %s', async (state, shown) => {
    serve({
      'GET /api/mail-users': { users: [{ address: 'bob@acme.example', issuedHere: true, link: { ...link, state } }] },
    })
    show(<MailUsersPage />)
    const row = within(await screen.findByRole('row', { name: /bob@acme.example/ }))
    expect(row.getByText(shown)).toBeDefined()
    expect(row.queryByRole('button', { name: /^Cancel link/ }) !== null).toBe(state === 'open')
    expect(row.queryByRole('button', { name: /^Take back/ })).toBeNull()
  })

  it('that nobody used can be cancelled', async () => {
    const { server, user, dialog } = await open('Cancel link bob@acme.example', {
      'GET /api/mail-users': { users: [{ address: 'bob@acme.example', issuedHere: true, link }] },
      'POST /api/mail-users/cancel-link': new Status(204),
    })
    expect(dialog.getByText(/No mail was sealed for them yet/)).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Cancel link' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/mail-users/cancel-link')[0]?.body).toEqual({ address: 'bob@acme.example' }),
    )
  })
})
