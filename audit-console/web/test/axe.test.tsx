import type { ReactElement } from 'react'
import axe from 'axe-core'
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import ApprovalsPage from '@/features/approvals/ApprovalsPage'
import EnrolmentPage from '@/features/enrolment/EnrolmentPage'
import KeysPage from '@/features/keys/KeysPage'
import { RulesOfKeywords } from '@/features/keys/RulesOfKeywords'
import LeakagePage from '@/features/leakage/LeakagePage'
import LogPage from '@/features/log/LogPage'
import MailUsersPage from '@/features/mailusers/MailUsersPage'
import ReadersPage from '@/features/readers/ReadersPage'
import RoutesPage from '@/features/routes/RoutesPage'
import RulesPage from '@/features/rules/RulesPage'
import SearchPage from '@/features/search/SearchPage'
import SendersPage from '@/features/senders/SendersPage'
import StatusPage from '@/features/status/StatusPage'
import { Events } from './eventSource'
import { show } from './render'
import {
  approval,
  BASE,
  detail,
  histogram,
  hourOfFigures,
  alarm,
  noIndexes,
  ofSender,
  row,
  rowsOf,
  search,
  senderPage,
  sweptSender,
  well,
} from './samples'
import { serve } from './server'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

/** Colours need a real browser: the pictures (npm run shots) look at those. */
async function faults(): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
    rules: { 'color-contrast': { enabled: false } },
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

const found = {
  ...BASE,
  'GET /api/searches/s1': search(),
  'GET /api/searches/s1/rows': rowsOf(3),
  'GET /api/searches/s1/histogram': histogram,
  'GET /api/searches/s1/rows/*': detail(),
}
const entry = {
  number: 7,
  time: '2026-11-22T09:00:00Z',
  actor: 'ada',
  kind: 'trapdoor',
  details: [{ name: 'digest', value: 'c0ffee' }],
  sealed: true,
}

describe('axe finds nothing', () => {
  it.each<[string, ReactElement, Record<string, unknown>, string | RegExp]>([
    [
      'in approvals',
      <ApprovalsPage />,
      { 'GET /api/approvals': [approval(), approval({ id: 'a2', mine: true })] },
      'Approve',
    ],
    [
      'in rules',
      <RulesPage />,
      { 'GET /api/rules': { version: 1, rules: [{ name: 'auditors', effect: 'allow' }] } },
      'auditors',
    ],
    [
      'in locked keys',
      <KeysPage />,
      { 'GET /api/keys': { locked: true, tenant: 'acme', epochs: 'monthly', keys: [], authority: '' } },
      'Open the keys',
    ],
    [
      'in senders',
      <SendersPage />,
      {
        'GET /api/senders': senderPage([{ name: 'press-4', registered: true, state: 'complete' }], { found: 120 }),
        'GET /api/senders/rules': { senders: [] },
        'GET /api/senders/indexes': { ...noIndexes, senders: [ofSender('press-4', { lacking: 1, counted: 1 })] },
        'GET /api/senders/sweep': { envelopes: 5, senders: [sweptSender('press-4')] },
        'GET /api/senders/alarms': { total: 1, alarms: [alarm] },
      },
      'press-4',
    ],
    ['in the log', <LogPage />, { 'POST /api/log/search': { size: 8, root: 'ab', entries: [entry] } }, 'c0ffee'],
    ['in what the gateway learns', <LeakagePage />, {}, 'What it cannot do'],
    [
      'in mail users',
      <MailUsersPage />,
      { 'GET /api/mail-users': { users: [{ address: 'ada@acme.example', issuedHere: true }] } },
      'ada@acme.example',
    ],
    ['in the page of a link', <EnrolmentPage />, {}, 'Get my files'],
    [
      'in readers',
      <ReadersPage />,
      { 'GET /api/readers': [{ name: 'carl', attributes: 'role:dpo', epochs: ['2026-11'] }] },
      'role:dpo',
    ],
    [
      'in routes',
      <RoutesPage />,
      { 'GET /api/routes': [{ name: 'urgent', actions: ['forward oncall@example.org'], matches: 3 }] },
      'forward oncall@example.org',
    ],
    [
      'in the status',
      <StatusPage />,
      {
        'GET /api/status': {
          ...well,
          problems: [{ kind: 'senders-silent', count: 4, names: ['a', 'b', 'c'], since: '2026-11-20T10:00:00Z' }],
          notKnown: ['machine'],
        },
        'GET /api/status/figures': hourOfFigures,
        'GET /api/senders/indexes': noIndexes,
        'GET /api/log/sink': {
          receiver: 'syslog logs.example.org:6514',
          activity: 'sending',
          sent: 12,
          waiting: 3,
          failing: { since: '2026-11-30T12:00:00Z', reason: 'the receiver does not answer' },
          putBack: { at: '2026-11-30T11:00:00Z', from: 20, to: 10 },
        },
      },
      /44 in all/,
    ],
  ])('%s', async (_, page, answers, text) => {
    serve(answers)
    show(page)
    await screen.findByText(text)
    expect(await faults()).toEqual([])
  })

  it.each<[string, ReactElement, Record<string, unknown>, string | RegExp]>([
    [
      'for a new key',
      <ReadersPage />,
      { 'GET /api/readers': [{ name: 'carl', attributes: 'role:dpo' }] },
      'Issue carl a key again',
    ],
    ['for a new route', <RoutesPage />, { ...BASE, 'GET /api/routes': [] }, 'New route'],
    [
      'for the rules of keywords',
      <RulesOfKeywords />,
      {
        'GET /api/keys/rules': {
          nextEpoch: '2026-12',
          next: { rules: 2, from: '2026-12', used: false },
          situation: ['Senders make keywords by rules 1.'],
          profile: { fields: ['unit'], templates: true },
          room: { former: 0, mostFormer: 1024, bytes: 0, mostBytes: 1 },
        },
      },
      'Change the rules',
    ],
    [
      'for a new sender',
      <SendersPage />,
      {
        'GET /api/senders': senderPage([]),
        'GET /api/senders/rules': { senders: [] },
        'GET /api/senders/indexes': noIndexes,
        'GET /api/senders/sweep': { envelopes: 0, senders: [] },
      },
      'Register a sender',
    ],
  ])('in the dialog %s', async (_, page, answers, button) => {
    serve(answers)
    const { user } = show(page)
    await user.click(await screen.findByRole('button', { name: button }))
    await screen.findByRole('dialog')
    expect(await faults()).toEqual([])
  })

  it('in a search with an open record', async () => {
    serve(found)
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await user.click(await screen.findByText('line 1'))
    await screen.findByText('the whole line')
    expect(await faults()).toEqual([])
  })

  it('in the list of mails that were not checked', async () => {
    serve({
      ...found,
      'GET /api/searches/s1': search({ mail: true, unchecked: 1 }),
      'GET /api/searches/s1/unchecked': { total: 1, mails: [row(0, { kind: 'unchecked', signed: 'stranger' })] },
    })
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await user.click(await screen.findByRole('button', { name: '1 mail not checked' }))
    await screen.findByRole('button', { name: 'Check line 0' })
    expect(await faults()).toEqual([])
  })

  it('unless there is something to find', async () => {
    document.body.innerHTML = '<button></button>'
    expect(await faults()).not.toEqual([])
  })
})
