import type {
  Approval,
  FigurePoint,
  FigureSeries,
  GatewayStatus,
  IndexesOfSender,
  QueryCheck,
  RecordDetail,
  Row,
  Search,
  Sender,
  SenderIndexes,
  SenderPage,
  SweepOfSender,
} from '@/shared/api/types'

export const search = (part: Partial<Search> = {}): Search => ({
  id: 's1',
  query: 'level:error',
  scope: 'plant-7',
  mail: false,
  state: 'complete',
  started: '2026-11-22T10:00:00Z',
  envelopes: 1000,
  envelopesDone: 1000,
  envelopesFound: 3,
  rows: 3,
  unreadable: 0,
  unchecked: 0,
  dropped: 0,
  trapdoors: 2,
  issued: 2,
  leakage: [],
  ...part,
})

export const row = (n: number, part: Partial<Row> = {}): Row => ({
  row: n,
  kind: 'record',
  envelope: `e${n}`,
  ordinal: 0,
  time: '2026-11-22T09:00:00Z',
  sender: 'press-4',
  proven: true,
  level: 'error',
  origin: '/var/log/plc.log',
  text: `line ${n}`,
  ...part,
})

export const rowsOf = (total: number) => (seen: { search: URLSearchParams }) => {
  const from = Number(seen.search.get('from'))
  const count = Math.min(Number(seen.search.get('count')), total - from)
  return { from, total, sorted: total, rows: Array.from({ length: Math.max(0, count) }, (_, i) => row(from + i)) }
}

export const detail = (part: Partial<RecordDetail> = {}): RecordDetail => ({
  row: row(0),
  scope: 'plant-7',
  epoch: '2026-11',
  policy: ['role:auditor'],
  fields: [
    { name: 'unit', value: 'sshd', term: 'unit:sshd' },
    { name: 'message', value: 'disk full', term: 'message:"disk full"' },
  ],
  keywords: [
    { keyword: 'level:error', term: 'level:error' },
    { keyword: 'word:overheat', term: 'overheat' },
  ],
  text: 'the whole line',
  ...part,
})

export const checked = (part: Partial<QueryCheck> = {}): QueryCheck => ({
  errors: [],
  warnings: [],
  terms: [],
  notes: [],
  epochs: ['2026-11'],
  trapdoors: 2,
  leakage: ['It sees which records match.'],
  decision: { outcome: 'allowed', reason: 'ok', rule: 'auditors' },
  ...part,
})

export const approval = (part: Partial<Approval> = {}): Approval => ({
  id: 'a1',
  state: 'pending',
  purpose: 'search',
  requester: 'carl',
  requested: '2026-11-22T09:00:00Z',
  expires: '2026-11-23T09:00:00Z',
  mine: false,
  query: 'salary',
  scope: 'plant-7',
  epochs: ['2026-11'],
  ...part,
})

export const histogram = {
  from: '2026-11-22T08:00:00Z',
  to: '2026-11-22T10:00:00Z',
  widthMillis: 2_400_000,
  counts: [1, 2, 0],
}

/** What the search page asks before anybody types. */
export const BASE = {
  'GET /api/scopes': [
    { name: 'plant-7', kind: 'logs' },
    { name: 'mail/ada', kind: 'mailbox', owner: 'ada@example.org' },
  ],
  'GET /api/fields': [
    { name: 'level', description: 'How bad', kind: 'word', example: 'level:error' },
    { name: 'unit', description: 'The unit', kind: 'word', example: 'unit:sshd' },
  ],
  'GET /api/searches': [],
  'GET /api/table-views': [],
  'GET /api/searches/s1/table': { fields: ['status', 'user'], known: 3, marks: [] },
  'GET /api/log/sink': {},
  'POST /api/queries/check': checked(),
}

export const ofSender = (name: string, part: Partial<IndexesOfSender> = {}): IndexesOfSender => ({
  name,
  checked: 3,
  lacking: 0,
  excused: 0,
  notChecked: 0,
  reasons: [],
  counted: 0,
  stopped: false,
  caller: false,
  ...part,
})

export const noIndexes: SenderIndexes = { dayStopped: false, mostOfSender: 16, mostOfDay: 256, senders: [] }

export const sweptSender = (name: string, part: Partial<SweepOfSender> = {}): SweepOfSender => ({
  name,
  listed: false,
  highest: 1200,
  drawn: 60,
  checked: 44,
  empty: 0,
  notChecked: 0,
  notOpenable: 0,
  notGiven: 0,
  notGivenNumbers: [],
  seenOneInHundred: 0.35737,
  seenOneInTen: 0.99999,
  last: '2026-11-22T10:00:00Z',
  ...part,
})

export const noSweep = { envelopes: 0, senders: [] }

export const senderPage = (senders: Sender[], part: Partial<SenderPage> = {}): SenderPage => ({
  known: true,
  total: senders.length,
  states: {},
  found: senders.length,
  senders,
  ...part,
})

export const point = (begins: string, part: Partial<FigurePoint> = {}): FigurePoint => ({
  begins,
  minutes: 1,
  lines: 0,
  mails: 0,
  searches: 0,
  delivered: 0,
  failed: 0,
  ...part,
})

/** An hour of which three minutes are known. */
export const hourOfFigures: FigureSeries = {
  kept: true,
  stepMinutes: 1,
  from: '2026-11-22T09:00:00Z',
  to: '2026-11-22T10:00:00Z',
  points: [
    point('2026-11-22T09:10:00Z', { lines: 4, envelopes: 10, freeBytes: 5_000_000_000 }),
    point('2026-11-22T09:11:00Z', { lines: 40, delivered: 2, failed: 1, envelopes: 12, backlogBytes: 2000 }),
    point('2026-11-22T09:59:00Z', { lines: 0, envelopes: 12 }),
  ],
}

export const well: GatewayStatus = {
  reachable: true,
  postQuantum: { console: 'Java 25' },
  figures: [{ name: 'envelopes', label: 'Envelopes stored', value: 1234, unit: 'count' }],
  problems: [],
  notKnown: [],
}

export const noAlarms = { total: 0, alarms: [] }

export const alarm = {
  id: 'a7',
  kind: 'hidden' as const,
  sender: 'press-4',
  key: 'c0ffee',
  number: 8,
  reason: 'not-found',
  first: '2026-11-22T09:00:00Z',
  last: '2026-11-22T09:00:00Z',
  times: 1,
  search: 's1',
  digest: 'ab',
  whole: true,
}
