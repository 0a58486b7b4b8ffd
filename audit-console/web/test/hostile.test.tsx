import type { ReactElement } from 'react'
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import ApprovalsPage from '@/features/approvals/ApprovalsPage'
import LogPage from '@/features/log/LogPage'
import ReadersPage from '@/features/readers/ReadersPage'
import RoutesPage from '@/features/routes/RoutesPage'
import RulesPage from '@/features/rules/RulesPage'
import SavedPage from '@/features/saved/SavedPage'
import SendersPage from '@/features/senders/SendersPage'
import StatusPage from '@/features/status/StatusPage'
import { show } from './render'
import { approval, hourOfFigures, noIndexes, senderPage, well } from './samples'
import { serve } from './server'

/** Reads “paid by ada” where a browser obeys it, and hides one letter of a name. */
const HOSTILE = 'ada yb\u202e diap\u200bX'
const SHOWN = 'ada yb‹U+202E› diap‹U+200B›X'

const entry = {
  number: 7,
  time: '2026-11-22T09:00:00Z',
  actor: HOSTILE,
  kind: 'trapdoor',
  details: [{ name: HOSTILE, value: HOSTILE }],
}

const PAGES: [string, () => ReactElement, Record<string, unknown>, number][] = [
  [
    'a request for approval',
    () => <ApprovalsPage />,
    {
      'GET /api/approvals': [
        approval({
          requester: HOSTILE,
          query: HOSTILE,
          reason: HOSTILE,
          scope: HOSTILE,
          rule: HOSTILE,
          senders: [HOSTILE],
          epochs: [HOSTILE],
          notes: [HOSTILE],
        }),
      ],
    },
    8,
  ],
  ['an entry of the log', () => <LogPage />, { 'POST /api/log/search': { size: 8, entries: [entry] } }, 3],
  [
    'a saved search',
    () => <SavedPage />,
    {
      'GET /api/saved-searches': [
        {
          id: '1',
          name: HOSTILE,
          created: '2026-11-01T00:00:00Z',
          query: { query: HOSTILE, scope: HOSTILE, senders: [HOSTILE] },
        },
      ],
    },
    4,
  ],
  [
    'a rule',
    () => <RulesPage />,
    { 'GET /api/rules': { version: 1, rules: [{ name: HOSTILE, effect: 'allow', scopes: [HOSTILE] }] } },
    2,
  ],
  ['a route', () => <RoutesPage />, { 'GET /api/routes': [{ name: HOSTILE, actions: [HOSTILE], scope: HOSTILE }] }, 3],
  [
    'a sender',
    () => <SendersPage />,
    { 'GET /api/senders': senderPage([{ name: HOSTILE, registered: true, state: 'gaps', gaps: [HOSTILE] }]) },
    2,
  ],
  [
    'the status',
    () => <StatusPage />,
    {
      'GET /api/status': {
        ...well,
        version: HOSTILE,
        postQuantum: { console: HOSTILE, gateway: HOSTILE },
        figures: [{ name: 'x', label: HOSTILE, value: 1, unit: 'count' }],
        problems: [
          { kind: 'not-storing', names: [HOSTILE] },
          { kind: 'senders-silent', count: 9, names: [HOSTILE] },
        ],
      },
      'GET /api/status/figures': hourOfFigures,
      'GET /api/senders/indexes': noIndexes,
    },
    6,
  ],
  [
    'a reader',
    () => <ReadersPage />,
    { 'GET /api/readers': [{ name: HOSTILE, attributes: HOSTILE, epochs: [HOSTILE] }] },
    3,
  ],
]

afterEach(() => vi.unstubAllGlobals())

describe('what others wrote', () => {
  it.each(PAGES)('hides and turns nothing round in %s', async (_, page, answers, places) => {
    serve(answers)
    show(page())
    await screen.findAllByText(text => text.includes(SHOWN))
    expect(document.body.textContent?.split(SHOWN).length).toBeGreaterThan(places)
    // Nor in what is read to somebody; values of inputs are what was typed.
    expect(document.body.outerHTML).not.toMatch(/[\u202e\u200b]/)
  })

  it('hides and turns nothing round where somebody decides', async () => {
    serve({ 'GET /api/approvals': [approval({ requester: HOSTILE, query: HOSTILE, scope: HOSTILE })] })
    const { user } = show(<ApprovalsPage />)
    await user.click(await screen.findByRole('button', { name: 'Refuse' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getAllByText(text => text.includes(SHOWN)).length).toBeGreaterThanOrEqual(3)
    expect(dialog.outerHTML).not.toMatch(/[\u202e\u200b]/)
  })

  it('hides and turns nothing round before something is removed, and in what is said then', async () => {
    serve({
      'GET /api/routes': [{ name: HOSTILE, actions: ['x'] }],
      'POST /api/routes/remove': {},
    })
    const { user } = show(<RoutesPage />)
    await user.click(await screen.findByRole('button', { name: `Remove ${SHOWN}` }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(`Remove the route “${SHOWN}”?`)).toBeDefined()
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText(`The route “${SHOWN}” is removed`)).toBeDefined()
    expect(document.body.outerHTML).not.toMatch(/[\u202e\u200b]/)
  })
})
