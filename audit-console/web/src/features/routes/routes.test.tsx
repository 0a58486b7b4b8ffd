import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { approval, BASE, checked } from '../../../test/samples'
import { problem, serve, Status } from '../../../test/server'
import RoutesPage from './RoutesPage'

afterEach(() => vi.unstubAllGlobals())

const urgent = { name: 'urgent', actions: ['forward oncall@example.org'], scope: 'mail/ada', matches: 3 }

const make = async (answers: Record<string, unknown>) => {
  const server = serve({ ...BASE, 'GET /api/routes': [], ...answers })
  const { user } = show(<RoutesPage />, { roles: ['operator'] })
  await user.click(await screen.findByRole('button', { name: 'New route' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New route' }))
  const install = dialog.getByRole<HTMLButtonElement>('button', { name: 'Install' })
  const fill = (label: RegExp | string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } })
  await user.click(dialog.getByRole('combobox', { name: 'Where' }))
  await user.click(await screen.findByRole('option', { name: 'ada@example.org', hidden: true }))
  fill('Query', ' urgent ')
  fill('Address', 'oncall@example.org')
  expect(install.disabled).toBe(true)
  fill('Name', 'on call')
  expect(dialog.getByText(/Letters, digits/)).toBeDefined()
  expect(install.disabled).toBe(true)
  fill('Name', 'on-call')
  await user.click(install)
  return { server, user, dialog }
}

const understood = {
  terms: [{ kind: 'term', field: 'word', text: 'urgent' }],
  notes: ['Perhaps a mistake, at character 8: no field of this name is known.'],
}

describe('a route', () => {
  it('says what it looks for, and how that was understood, to who may know', async () => {
    serve({
      ...BASE,
      'GET /api/routes': [
        { ...urgent, query: 'urgent', understood },
        { ...urgent, name: 'other' },
      ],
    })
    show(<RoutesPage />, { roles: ['approver'] })
    const shown = await screen.findAllByRole('group', { name: 'How the query is understood' })
    expect(shown.map(each => each.textContent)).toEqual([expect.stringMatching(/word urgent.*Perhaps a mistake/)])
  })

  it('is made by an operator, who has searched for nothing', async () => {
    const { server } = await make({ 'POST /api/routes': new Status(201, { name: 'on-call', actions: [] }) })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('The route “on-call” is installed')).toBeDefined()
    expect(server.of('POST', '/api/routes')[0]?.body).toEqual({
      name: 'on-call',
      query: { query: 'urgent', scope: 'mail/ada', mail: true },
      action: 'forward',
      target: 'oncall@example.org',
      epochs: 1,
    })
    expect(server.of('GET', '/api/routes')).toHaveLength(2)
  })

  it('that takes a second person is asked for', async () => {
    await make({ 'POST /api/routes': new Status(202, approval({ purpose: 'route' })) })
    expect(await screen.findByText(/a second person must approve the route/)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('that is refused says by what, in the dialog', async () => {
    const { dialog } = await make({ 'POST /api/routes': problem(403, { detail: 'Not there', rule: 'mailboxes' }) })
    expect((await dialog.findByRole('alert')).textContent).toContain('mailboxes')
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('on-call')
  })

  it('whose query is written as elsewhere cannot be installed, and says what to write', async () => {
    serve({
      ...BASE,
      'GET /api/routes': [],
      'POST /api/queries/check': (seen: { body: unknown }) =>
        (seen.body as { query: string }).query === 'leak -test'
          ? checked({ errors: [{ message: 'leaves out with NOT', at: 5, suggestions: ['leak NOT test'] }] })
          : checked({ terms: [{ kind: 'term', field: 'word', text: 'leak' }] }),
    })
    const { user } = show(<RoutesPage />, { roles: ['operator'] })
    await user.click(await screen.findByRole('button', { name: 'New route' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('combobox', { name: 'Where' }))
    await user.click(await screen.findByRole('option', { name: 'plant-7', hidden: true }))
    await user.type(dialog.getByLabelText('Query'), 'leak -test')
    await user.type(dialog.getByLabelText('Name'), 'leaks')
    await user.type(dialog.getByLabelText('Address'), 'oncall@example.org')
    expect(await dialog.findByText('leaves out with NOT')).toBeDefined()
    const install = dialog.getByRole<HTMLButtonElement>('button', { name: 'Install' })
    expect(install.disabled).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Write leak NOT test' }))
    const understood = await dialog.findByRole('group', { name: 'How the query is understood' })
    expect(understood.textContent).toContain('word leak')
    expect(install.disabled).toBe(false)
  })

  it('is ended by an operator who was told what that does not do', async () => {
    const server = serve({ 'GET /api/routes': [urgent], 'POST /api/routes/remove': new Status(204) })
    const { user } = show(<RoutesPage />, { roles: ['operator'] })
    await user.click(await screen.findByRole('button', { name: 'Remove urgent' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/cannot be called back/)).toBeDefined()
    expect(server.of('POST', '/api/routes/remove')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(server.of('POST', '/api/routes/remove')[0]?.body).toEqual({ name: 'urgent' }))
  })

  const former = { ...urgent, rules: [1], former: true, renewable: true }

  it('of former rules alone is told, and issued again by an operator', async () => {
    const server = serve({
      'GET /api/routes': [former, { name: 'heat', actions: ['topic alarms'], rules: [1, 2], former: false }],
      'POST /api/routes/renew': new Status(201, { name: 'urgent', actions: [] }),
    })
    const { user } = show(<RoutesPage />, { roles: ['operator'] })
    expect((await screen.findByRole('alert')).textContent).toContain('A route misses messages')
    expect(screen.getAllByText(/alone$/).map(each => each.textContent)).toEqual(['rules 1 alone'])
    expect(screen.queryByRole('button', { name: 'Issue heat again' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Issue urgent again' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(server.of('POST', '/api/routes/renew')).toEqual([])
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' rules 2 ' } })
    await user.click(dialog.getByRole('button', { name: 'Issue again' }))
    expect(await screen.findByText('The route “urgent” is issued again')).toBeDefined()
    expect(server.of('POST', '/api/routes/renew')[0]?.body).toEqual({ name: 'urgent', reason: 'rules 2' })
    expect(server.of('GET', '/api/routes')).toHaveLength(2)
  })

  it('that takes a second person is issued again once one approves', async () => {
    serve({ 'GET /api/routes': [former], 'POST /api/routes/renew': new Status(202, approval({ purpose: 'route' })) })
    const { user } = show(<RoutesPage />, { roles: ['operator'] })
    await user.click(await screen.findByRole('button', { name: 'Issue urgent again' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Issue again' }))
    expect(await screen.findByText(/a second person must approve the route/)).toBeDefined()
  })

  it('whose issuing again is refused says so in the dialog', async () => {
    serve({ 'GET /api/routes': [former], 'POST /api/routes/renew': problem(403, { detail: 'Not there' }) })
    const { user } = show(<RoutesPage />, { roles: ['operator'] })
    await user.click(await screen.findByRole('button', { name: 'Issue urgent again' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Issue again' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('Not there')
  })

  it('whose query is not known here has to be made anew', async () => {
    serve({ 'GET /api/routes': [{ ...former, renewable: false }] })
    show(<RoutesPage />, { roles: ['operator'] })
    expect(await screen.findByText(/make it anew under its name/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Issue urgent again' })).toBeNull()
  })

  it('is seen by auditors, who make theirs from a search', async () => {
    serve({ 'GET /api/routes': [urgent] })
    show(<RoutesPage />, { roles: ['auditor'] })
    await screen.findByText('forward oncall@example.org')
    expect(screen.queryByRole('button', { name: /New route|Remove/ })).toBeNull()
  })
})
