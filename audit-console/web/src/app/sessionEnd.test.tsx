import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from './App'
import { keepDrafts, restoreDrafts } from '@/shared/auth/drafts'
import { sessionState } from '@/shared/auth/sessionState'
import { Channel } from '../../test/channel'
import { session } from '../../test/render'
import { found } from '../../test/searchPage'
import { NEVER, problem, serve, type Seen } from '../../test/server'

const MINUTE = 60_000
const STEP = 15_000
const WARNING = 'Your session is about to end'
const OVER = 'Your session is over'

const ends = (seconds = 600, atMost = 43_200) => ({ at: '2026-11-22T13:00:00Z', seconds, atMost })
let until = 0

/** A server whose session ends when it was not used for ten minutes. */
function console_(more = {}) {
  until = Date.now() + 10 * MINUTE
  const left = () => Math.floor((until - Date.now()) / 1000)
  return serve({
    ...found(),
    'GET /api/approvals': [],
    'GET /api/session': () => (left() < 0 ? problem(401) : { ...session(['auditor']), ends: ends(left()) }),
    'POST /api/session/used': () => {
      until = Date.now() + 10 * MINUTE
      return ends(left())
    },
    ...more,
  })
}

/** In steps that the page is drawn after, as it is in a browser. */
async function pass(millis: number) {
  for (let rest = millis; rest > 0; rest -= STEP) {
    await act(() => vi.advanceTimersByTimeAsync(Math.min(rest, STEP)))
  }
}

/** The warning, when it has faded. */
const gone = () => vi.waitFor(() => expect(screen.queryByText(WARNING)).toBeNull(), { timeout: 60_000 })

const uses = (server: { seen: Seen[] }) => server.seen.filter(call => call.path === '/api/session/used').length

async function showRows() {
  window.history.replaceState(null, '', '/searches/s1')
  render(<App />)
  await shown('grid')
}

/** Pages are read in time that no clock of the test moves. */
const shown = (role: string) => vi.waitFor(() => screen.getByRole(role), { timeout: 60_000 })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  sessionState.forget()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
})

describe('a session that nobody uses', () => {
  it('is warned of, and ends although the page asked all the time', async () => {
    const server = console_()
    await showRows()
    expect(screen.getByRole('grid')).toBeDefined()
    await pass(7 * MINUTE)
    expect(server.of('GET', '/api/session').length).toBeGreaterThan(10)
    expect(screen.queryByText(WARNING)).toBeNull()
    await pass(1.5 * MINUTE)
    expect(screen.getByText(WARNING)).toBeDefined()
    expect(screen.getByTestId('left').textContent).toMatch(/^1:\d\d$/)
    await pass(2 * MINUTE)
    expect(uses(server)).toBe(0)
    expect(screen.getByText(OVER)).toBeDefined()
    expect(screen.queryByText(WARNING)).toBeNull()
    expect(screen.queryByRole('grid')).toBeNull()
    expect(document.querySelector('main, [role="grid"], input, textarea')).toBeNull()
    expect(document.title).toBe('Veilgate')
    expect(Channel.told).toContain('over')
  })

  it('ends also where the server does not answer any more', async () => {
    const server = console_()
    await showRows()
    server.set({ 'GET /api/session': NEVER })
    await pass(9.9 * MINUTE)
    expect(screen.getByRole('grid')).toBeDefined()
    await pass(0.3 * MINUTE)
    expect(screen.getByText(OVER)).toBeDefined()
    expect(screen.queryByRole('grid')).toBeNull()
  })
})

describe('who is there', () => {
  it.each([
    ['clicks', () => fireEvent.pointerDown(document.body)],
    ['types', () => fireEvent.keyDown(document.body, { key: 'a' })],
    ['scrolls', () => fireEvent.wheel(document.body)],
  ])('stays if she %s', async (_, use) => {
    const server = console_()
    await showRows()
    for (let i = 0; i < 3; i++) {
      await pass(6 * MINUTE)
      act(() => void use())
      await pass(1000)
    }
    expect(uses(server)).toBe(3)
    expect(Channel.told).toContain('used')
    expect(screen.queryByText(WARNING)).toBeNull()
    expect(screen.getByRole('grid')).toBeDefined()
  })

  it('tells it at most every half minute, and the last of it', async () => {
    const server = console_()
    await showRows()
    for (let i = 0; i < 10; i++) {
      fireEvent.keyDown(document.body, { key: 'a' })
      await pass(1000)
    }
    expect(uses(server)).toBe(1)
    await pass(30_000)
    expect(uses(server)).toBe(2)
    await pass(5 * MINUTE)
    expect(uses(server)).toBe(2)
  })

  it('can stay when she is warned', async () => {
    const server = console_()
    await showRows()
    await pass(8.5 * MINUTE)
    act(() => screen.getByRole('button', { name: 'Stay logged in' }).click())
    await pass(2000)
    expect(uses(server)).toBe(1)
    await gone()
    await pass(3 * MINUTE)
    expect(screen.getByRole('grid')).toBeDefined()
  })

  it('is told of the last end, which no use puts off', async () => {
    const last = Date.now() + 11 * MINUTE
    const both = () => Math.floor((last - Date.now()) / 1000)
    console_({
      'GET /api/session': () => ({ ...session(['auditor']), ends: ends(both(), both()) }),
      'POST /api/session/used': () => ends(both(), both()),
    })
    await showRows()
    await pass(9.5 * MINUTE)
    expect(screen.getByText(/as long as a session may/)).toBeDefined()
    act(() => screen.getByRole('button', { name: 'Go on until then' }).click())
    await pass(1000)
    await gone()
    expect(screen.getByRole('grid')).toBeDefined()
  })
})

describe('a session that ends in another tab', () => {
  it.each(['leaving', 'over'])('ends here, too, when it says %s', async word => {
    const server = console_()
    await showRows()
    expect(screen.getByRole('grid')).toBeDefined()
    server.set({ 'GET /api/session': problem(401) })
    act(() => Channel.hear(word))
    await pass(500)
    expect(screen.getByText(OVER)).toBeDefined()
    expect(screen.queryByRole('grid')).toBeNull()
  })

  it('does not end here because another tab says so, but because the server does', async () => {
    console_()
    await showRows()
    act(() => Channel.hear('over'))
    await pass(2000)
    expect(screen.queryByText(OVER)).toBeNull()
    expect(screen.getByRole('grid')).toBeDefined()
  })

  it('is noticed within half a minute where nobody says anything', async () => {
    const server = console_()
    await showRows()
    server.set({ 'GET /api/session': problem(401) })
    await pass(31_000)
    expect(screen.queryByRole('grid')).toBeNull()
  })

  it('goes on here when another tab uses it', async () => {
    console_()
    await showRows()
    await pass(8.5 * MINUTE)
    expect(screen.getByText(WARNING)).toBeDefined()
    until = Date.now() + 10 * MINUTE
    act(() => Channel.hear('used'))
    await pass(2000)
    await gone()
  })
})

describe('a page that the browser keeps for Back', () => {
  it('is kept without what it showed', async () => {
    console_()
    await showRows()
    expect(screen.getByRole('grid')).toBeDefined()
    act(() => {
      window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }))
    })
    expect(screen.queryByRole('grid')).toBeNull()
  })
})

describe('what was typed', () => {
  const typed = () =>
    (JSON.parse(window.sessionStorage.getItem('veilgate.drafts') ?? '{}') as { drafts: { search?: { query: string } } })
      .drafts.search?.query

  it('is kept over the end, although the page is gone', async () => {
    const server = console_()
    window.history.replaceState(null, '', '/')
    render(<App />)
    await shown('textbox')
    fireEvent.change(screen.getByRole('textbox', { name: 'Query' }), { target: { value: 'level:error' } })
    server.set({ 'GET /api/session': problem(401) })
    await pass(31_000)
    expect(screen.queryByRole('textbox', { name: 'Query' })).toBeNull()
    keepDrafts()
    expect(typed()).toBe('level:error')
    window.sessionStorage.clear()
    server.set({ 'GET /api/session': { ...session(['auditor']), ends: ends() } })
    await pass(31_000)
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Query' }).value).toBe('level:error')
  })

  it('is not given to somebody else who logs in then', async () => {
    const kept = { path: '/', user: 'ada', drafts: { search: { query: 'her query' } } }
    window.sessionStorage.setItem('veilgate.drafts', JSON.stringify(kept))
    expect(restoreDrafts()).toBe('/')
    console_({ 'GET /api/session': { ...session(['auditor']), user: 'eve', ends: ends() } })
    render(<App />)
    await shown('textbox')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Query' }).value).toBe('')
  })
})
