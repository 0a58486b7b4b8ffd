import type { ReactElement } from 'react'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi, afterEach } from 'vitest'
import ApprovalsPage from '@/features/approvals/ApprovalsPage'
import KeysPage from '@/features/keys/KeysPage'
import LogPage from '@/features/log/LogPage'
import MailUsersPage from '@/features/mailusers/MailUsersPage'
import ReadersPage from '@/features/readers/ReadersPage'
import RoutesPage from '@/features/routes/RoutesPage'
import RulesPage from '@/features/rules/RulesPage'
import SavedPage from '@/features/saved/SavedPage'
import { HeldSearches } from '@/features/search/HeldSearches'
import { HistogramPanel } from '@/features/search/HistogramPanel'
import { Chains } from '@/features/search/SourcesDrawer'
import { SurroundingTab } from '@/features/search/SurroundingTab'
import { Indexes } from '@/features/senders/Indexes'
import { KeywordRules } from '@/features/senders/KeywordRules'
import SendersPage from '@/features/senders/SendersPage'
import { Alarms } from '@/features/senders/Alarms'
import { Sweep } from '@/features/senders/Sweep'
import { Figures } from '@/features/status/Figures'
import StatusPage from '@/features/status/StatusPage'
import { show } from './render'
import {
  alarm,
  approval,
  histogram,
  hourOfFigures,
  noAlarms,
  noIndexes,
  noSweep,
  ofSender,
  row,
  search,
  senderPage,
  sweptSender,
  well,
} from './samples'
import { AWAY, NEVER, problem, serve } from './server'

interface ViewCase {
  name: string
  page: () => ReactElement
  call: string
  data: unknown
  shown: string | RegExp
  empty: unknown
  nothing: string | RegExp
  /** What else the page asks for, and gets. */
  also?: Record<string, unknown>
}

const key = { kind: 'index', parameters: 'ntru-peks', id: 'a1b2', created: '2026-11-01T00:00:00Z', current: true }
const keys = {
  locked: false,
  tenant: 'acme',
  authority: 'SHA256:9f4c',
  signatures: ['Ed25519', 'ML-DSA-65'],
  epochs: 'monthly',
  keys: [key],
}
const entry = {
  number: 7,
  time: '2026-11-22T09:00:00Z',
  actor: 'ada',
  kind: 'trapdoor',
  details: [{ name: 'digest', value: 'c0ffee' }],
}
const figure = { name: 'stored', label: 'Stored envelopes', value: 1234, unit: 'count' }
const near = { envelope: 'e9', ordinal: 1, time: '2026-11-22T09:00:00Z', text: 'the line before', isHit: false }

const VIEWS: ViewCase[] = [
  {
    name: 'saved searches',
    page: () => <SavedPage />,
    call: 'GET /api/saved-searches',
    data: [
      { id: '1', name: 'Logins', created: '2026-11-01T00:00:00Z', query: { query: 'unit:sshd', scope: 'plant-7' } },
    ],
    shown: 'unit:sshd',
    empty: [],
    nothing: 'Nothing is saved yet',
  },
  {
    name: 'approvals',
    page: () => <ApprovalsPage />,
    call: 'GET /api/approvals',
    data: [approval()],
    shown: 'salary',
    empty: [],
    nothing: 'There are no requests',
  },
  {
    name: 'rules',
    page: () => <RulesPage />,
    call: 'GET /api/rules',
    data: { version: 1, rules: [{ name: 'auditors', effect: 'allow' }] },
    shown: /Everybody may search/,
    empty: { version: 1, rules: [] },
    nothing: 'There are no rules',
  },
  {
    name: 'keys',
    page: () => <KeysPage />,
    call: 'GET /api/keys',
    data: keys,
    shown: 'SHA256:9f4c',
    empty: { ...keys, keys: [] },
    nothing: 'There are no keys yet',
    also: {
      'GET /api/keys/rules': {
        nextEpoch: '2026-12',
        situation: [],
        room: { former: 0, mostFormer: 1024, bytes: 0, mostBytes: 16777216 },
      },
    },
  },
  {
    name: 'mail users',
    page: () => <MailUsersPage />,
    call: 'GET /api/mail-users',
    data: { users: [{ address: 'ada@acme.example', issuedHere: true }] },
    shown: 'ada@acme.example',
    empty: { users: [] },
    nothing: 'Nobody is enrolled yet',
  },
  {
    name: 'readers',
    page: () => <ReadersPage />,
    call: 'GET /api/readers',
    data: [{ name: 'carl', attributes: 'role:dpo' }],
    shown: 'role:dpo',
    empty: [],
    nothing: 'No attribute keys were issued yet',
  },
  {
    name: 'senders',
    page: () => <SendersPage />,
    call: 'GET /api/senders',
    data: senderPage([{ name: 'press-4', registered: true, state: 'gaps', gaps: ['8 missing'] }]),
    shown: '8 missing',
    empty: senderPage([]),
    nothing: 'No senders yet',
    also: {
      'GET /api/senders/rules': { senders: [] },
      'GET /api/senders/indexes': noIndexes,
      'GET /api/senders/sweep': noSweep,
      'GET /api/senders/alarms': noAlarms,
    },
  },
  {
    name: 'rules of keywords',
    page: () => <KeywordRules />,
    call: 'GET /api/senders/rules',
    data: { next: { rules: 2, from: '2026-11' }, senders: [{ name: 'press-4' }] },
    shown: 'press-4',
    empty: { senders: [] },
    nothing: 'Nothing with keywords has arrived',
  },
  {
    name: 'complete indexes',
    page: () => <Indexes />,
    call: 'GET /api/senders/indexes',
    data: { ...noIndexes, senders: [ofSender('press-4')] },
    shown: 'press-4',
    empty: noIndexes,
    nothing: 'No record was checked yet',
  },
  {
    name: 'sweep',
    page: () => <Sweep />,
    call: 'GET /api/senders/sweep',
    data: { ...noSweep, senders: [sweptSender('press-4')] },
    shown: 'press-4',
    empty: noSweep,
    nothing: 'Nothing was swept',
  },
  {
    name: 'alarms',
    page: () => <Alarms />,
    call: 'GET /api/senders/alarms',
    data: { total: 1, alarms: [alarm] },
    shown: 'Download',
    empty: noAlarms,
    nothing: 'Nothing is known to be kept back',
  },
  {
    name: 'routes',
    page: () => <RoutesPage />,
    call: 'GET /api/routes',
    data: [{ name: 'urgent', actions: ['forward'] }],
    shown: 'urgent',
    empty: [],
    nothing: 'There are no routes',
  },
  {
    name: 'log',
    page: () => <LogPage />,
    call: 'POST /api/log/search',
    data: { size: 8, entries: [entry] },
    shown: 'c0ffee',
    empty: { size: 0, entries: [] },
    nothing: 'The log is empty',
  },
  {
    name: 'status',
    page: () => <StatusPage />,
    call: 'GET /api/status',
    data: { ...well, figures: [figure] },
    shown: '1,234',
    empty: { ...well, figures: [] },
    nothing: 'The gateway gives no figures',
    also: { 'GET /api/status/figures': hourOfFigures, 'GET /api/senders/indexes': noIndexes, 'GET /api/log/sink': {} },
  },
  {
    name: 'figures over time',
    page: () => <Figures />,
    call: 'GET /api/status/figures',
    data: hourOfFigures,
    shown: /44 in all/,
    empty: { ...hourOfFigures, points: [] },
    nothing: 'Nothing is known of this time',
  },
  {
    name: 'held searches',
    page: () => <HeldSearches example={() => undefined} />,
    call: 'GET /api/searches',
    data: [search()],
    shown: 'level:error',
    empty: [],
    nothing: /^Search mail and logs/,
  },
  {
    name: 'chain check',
    page: () => <Chains search={search()} />,
    call: 'GET /api/searches/s1/sources',
    data: [{ sender: 'web-1', state: 'gaps', gaps: ['3 missing'] }],
    shown: '3 missing',
    empty: [],
    nothing: 'No sources yet',
  },
  {
    name: 'surrounding records',
    page: () => <SurroundingTab at={{ search: 's1', row: 0 }} row={row(0)} />,
    call: 'GET /api/searches/s1/rows/0/surrounding',
    data: [near],
    shown: 'the line before',
    empty: [],
    nothing: 'Nothing around it',
  },
  {
    name: 'histogram',
    page: () => <HistogramPanel search={search()} narrow={() => undefined} />,
    call: 'GET /api/searches/s1/histogram',
    data: histogram,
    shown: /3 hits from/,
    empty: undefined,
    nothing: 'No hits so far',
  },
]

afterEach(() => vi.unstubAllGlobals())

describe.each(VIEWS)('$name', view => {
  const states = () => [...document.querySelectorAll('[data-state]')].map(element => element.getAttribute('data-state'))

  it('shows that it is loading', () => {
    serve({ ...view.also, [view.call]: NEVER })
    show(view.page())
    expect(states()).toContain('loading')
    expect(screen.queryByText(view.nothing)).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows what there is', async () => {
    serve({ ...view.also, [view.call]: view.data })
    show(view.page())
    expect((await screen.findAllByText(view.shown)).length).toBeGreaterThan(0)
    await waitFor(() => expect(states()).not.toContain('loading'))
    expect(screen.queryByText(view.nothing)).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says that there is nothing', async () => {
    serve({ ...view.also, [view.call]: view.empty })
    show(
      view.empty === undefined ? <HistogramPanel search={search({ rows: 0 })} narrow={() => undefined} /> : view.page(),
    )
    expect(await screen.findByText(view.nothing)).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['a gateway that is away', problem(502), /The gateway does not answer/],
    ['locked keys', problem(423), /The keys are locked/],
    ['a refusal', problem(403, { detail: 'Not for you', rule: 'r1' }), /Not allowed/],
    ['a broken console', problem(500), /Problem 500/],
    ['no connection', AWAY, /The console does not answer/],
  ])('never takes %s for nothing', async (_, answer, said) => {
    serve({ ...view.also, [view.call]: answer })
    show(view.page())
    expect((await screen.findByRole('alert')).textContent).toMatch(said)
    expect(screen.queryByText(view.nothing)).toBeNull()
    expect(states()).toContain('error')
  })

  it('can be tried again after an error', async () => {
    const server = serve({ ...view.also, [view.call]: problem(502) })
    const { user } = show(view.page())
    const again = await screen.findByRole('button', { name: 'Try again' })
    server.set({ [view.call]: view.data })
    await user.click(again)
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect((await screen.findAllByText(view.shown)).length).toBeGreaterThan(0)
  })
})

describe('the status of a gateway that is not reached', () => {
  it('is an error, not an empty page', async () => {
    serve({
      'GET /api/status': {
        ...well,
        reachable: false,
        figures: [],
        problems: [{ kind: 'gateway-away', names: [] }],
        notKnown: ['gateway', 'senders'],
      },
      'GET /api/senders/indexes': noIndexes,
      'GET /api/log/sink': {},
    })
    show(<StatusPage />)
    expect(await screen.findByText(/The gateway does not answer/)).toBeDefined()
    expect(screen.queryByText('Nothing is wrong')).toBeNull()
    expect(screen.queryByText('The gateway gives no figures')).toBeNull()
  })
})

describe('an error when reading again', () => {
  it('keeps what was there and says that it is old', async () => {
    const server = serve({ 'GET /api/readers': [{ name: 'carl', attributes: 'role:dpo' }] })
    const { client } = show(<ReadersPage />)
    await screen.findByText('role:dpo')
    server.set({ 'GET /api/readers': problem(502) })
    await client.refetchQueries({ queryKey: ['readers'] })
    expect(await screen.findByRole('alert')).toBeDefined()
    expect(screen.getByText('role:dpo')).toBeDefined()
    expect(screen.getByText(/as it was before/)).toBeDefined()
  })
})
