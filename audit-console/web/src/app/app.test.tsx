import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi, onTestFinished } from 'vitest'
import type { Role } from '@/shared/api/types'
import { keepDrafts, restoreDrafts } from '@/shared/auth/drafts'
import { sessionState } from '@/shared/auth/sessionState'
import { session } from '../../test/render'
import { BASE, hourOfFigures, noIndexes, senderPage, well } from '../../test/samples'
import { NEVER, problem, serve } from '../../test/server'
import { App } from './App'
import { firstPage, sectionsFor } from './sections'

const all = {
  ...BASE,
  'GET /api/approvals': [],
  'GET /api/status': { ...well, figures: [] },
  'GET /api/status/figures': hourOfFigures,
  'GET /api/senders/indexes': noIndexes,
  'GET /api/senders': senderPage([]),
  'GET /api/rules': { version: 1, rules: [] },
}
const logged = (roles: Role[]) => ({ ...all, 'GET /api/session': session(roles) })

beforeEach(() => {
  sessionState.forget()
  window.history.replaceState(null, '', '/')
})
afterEach(() => vi.unstubAllGlobals())

const links = () =>
  within(screen.getByRole('navigation', { name: 'Pages' }))
    .getAllByRole('link')
    .map(link => link.textContent)

describe('the console', () => {
  it('is starting while it asks who is there', () => {
    serve({ 'GET /api/session': NEVER })
    render(<App />)
    expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
  })

  it('welcomes who is not logged in, with one way in', async () => {
    serve({ 'GET /api/session': problem(401) })
    render(<App />)
    expect((await screen.findByRole('link', { name: 'Log in' })).getAttribute('href')).toBe(
      '/oauth2/authorization/veilgate',
    )
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('keeps the page of a link over the login, also over one that failed', async () => {
    // The link leads out of the page, where jsdom cannot go.
    const stay = (event: Event) => event.preventDefault()
    document.addEventListener('click', stay)
    onTestFinished(() => document.removeEventListener('click', stay))
    window.history.replaceState(null, '', '/searches/s1')
    serve({ 'GET /api/session': problem(401) })
    const first = render(<App />)
    fireEvent.click(await screen.findByRole('link', { name: 'Log in' }))
    expect(screen.getByText(/page that you opened is shown after you have logged in/)).toBeDefined()
    first.unmount()
    window.history.replaceState(null, '', '/?login=failed')
    const second = render(<App />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/not logged in/)
    fireEvent.click(screen.getByRole('link', { name: 'Log in' }))
    second.unmount()
    window.history.replaceState(null, '', '/')
    serve({ ...logged(['auditor']), 'GET /api/searches/s1': problem(404) })
    render(<App />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/not yours/)
    expect(window.location.pathname + window.location.search).toBe('/searches/s1')
  })

  it('says when a login failed', async () => {
    window.history.replaceState(null, '', '/?login=failed')
    serve({ 'GET /api/session': problem(401) })
    render(<App />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/not logged in/)
    expect(screen.getByRole('link', { name: 'Log in' })).toBeDefined()
  })

  it('says when it cannot ask, instead of asking for a login', async () => {
    serve({ 'GET /api/session': problem(502) })
    render(<App />)
    expect(await screen.findByRole('alert')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
  })

  it('reads and changes although the browser says that it is offline', async () => {
    window.history.replaceState(null, '', '/mail-users')
    const server = serve({
      ...logged(['keeper']),
      'GET /api/mail-users': () => {
        window.dispatchEvent(new Event('offline'))
        return { users: [] }
      },
      'POST /api/mail-users/enrol': problem(409, { title: 'bob is enrolled already' }),
    })
    render(<App />)
    fireEvent.click((await screen.findAllByRole('button', { name: 'Enrol a user' }))[0]!)
    await screen.findByText('Nobody is enrolled yet')
    const dialog = within(await screen.findByRole('dialog', { name: 'Enrol a user' }))
    fireEvent.change(dialog.getByLabelText(/^Address/), { target: { value: 'bob@acme.example' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Enrol' }))
    expect(await screen.findByText('bob is enrolled already')).toBeDefined()
    await waitFor(() => expect(server.of('GET', '/api/mail-users')).toHaveLength(2))
  })

  it('shows the search to auditors', async () => {
    serve(logged(['auditor']))
    render(<App />)
    expect(await screen.findByRole('textbox', { name: 'Query' })).toBeDefined()
    expect(links()).toEqual([
      'Search',
      'Saved searches',
      'Approvals',
      'Rules',
      'Routes',
      'Log',
      'What the gateway learns',
    ])
  })

  it('begins elsewhere for who may not search', async () => {
    serve(logged(['operator']))
    render(<App />)
    expect(await screen.findByRole('heading', { name: 'Senders' })).toBeDefined()
    expect(links()).toEqual(['Approvals', 'Senders', 'Routes', 'Status', 'What the gateway learns'])
  })

  it('logs out by a form with the token, to where the server says', async () => {
    serve(logged(['auditor']))
    render(<App />)
    const button = await screen.findByRole('button', { name: /Ada Byron/ })
    act(() => button.click())
    const out = await screen.findByRole('button', { name: 'Log out' })
    const form = out.closest('form')
    expect([form?.method, form?.getAttribute('action'), new FormData(form ?? undefined).get('_csrf')]).toEqual([
      'post',
      '/logout',
      'the-token',
    ])
  })

  it('takes the page away when the session ends, and gives it back after a login in another tab', async () => {
    const server = serve(logged(['auditor']))
    render(<App />)
    await screen.findByRole('textbox', { name: 'Query' })
    server.set({ 'GET /api/session': problem(401) })
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await screen.findByText('Your session is over')).toBeDefined()
    expect(screen.queryByLabelText('Query')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
    server.set({ 'GET /api/session': { ...session(['auditor']), csrf: 'the-next' } })
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(screen.queryByText('Your session is over')).toBeNull())
    expect(screen.getByLabelText('Query')).toBeDefined()
    expect(sessionState.csrf()).toBe('the-next')
  })
})

describe('the pages of each role', () => {
  it.each<[Role, string, string[]]>([
    ['auditor', '/', ['/keys', '/readers', '/senders', '/status']],
    ['approver', '/approvals', ['/', '/keys', '/readers', '/senders', '/routes', '/status']],
    ['keeper', '/rules', ['/', '/approvals', '/routes']],
    ['operator', '/senders', ['/', '/rules', '/keys', '/log']],
  ])('%s', (role, first, hidden) => {
    expect(firstPage([role])).toBe(first)
    const shown = sectionsFor([role]).flatMap(section => section.items.map(item => item.to))
    expect(shown.filter(to => hidden.includes(to))).toEqual([])
    expect(shown).toContain('/leakage')
  })
})

describe('what was typed', () => {
  it('goes into the storage only for the login, and leads to this site only', () => {
    keepDrafts()
    expect(window.sessionStorage.length).toBe(1)
    expect(restoreDrafts()).toBe('/')
    expect(window.sessionStorage.length).toBe(0)
    for (const path of ['//evil.example/', 'https://evil.example', 'javascript:alert(1)']) {
      window.sessionStorage.setItem('veilgate.drafts', JSON.stringify({ path, drafts: {} }))
      expect(restoreDrafts()).toBeUndefined()
    }
    window.sessionStorage.setItem('veilgate.drafts', '{')
    expect(restoreDrafts()).toBeUndefined()
  })
})
