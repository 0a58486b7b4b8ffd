import type {
  Approval,
  FigurePoint,
  FigureSeries,
  GatewayStatus,
  Keys,
  KeywordRules,
  LogEntry,
  MailUsers,
  Reader,
  Route,
  Rules,
  RulesInUse,
  SavedSearch,
  Sender,
  SenderIndexes,
} from '../../src/shared/api/types.ts'

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

export const approvals: Approval[] = [
  {
    id: crypto.randomUUID(),
    state: 'pending',
    purpose: 'search',
    requester: 'carl',
    requested: ago(12),
    expires: ago(-60 * 23),
    mine: false,
    query: 'salary AND from:carl@example.org',
    scope: 'mail/carl',
    epochs: ['2026-11'],
    from: ago(60 * 24 * 7),
    to: ago(0),
    reason: 'Complaint 4471: was the figure sent to the supplier?',
    rule: 'pay',
  },
  {
    id: crypto.randomUUID(),
    state: 'pending',
    purpose: 'route',
    requester: 'grace',
    requested: ago(95),
    expires: ago(-60 * 22),
    mine: false,
    query: 'subject:urgent AND overheat',
    scope: 'mail/ops',
    epochs: ['2026-11', '2026-12'],
    reason: 'On call over the holidays',
    rule: 'routes',
  },
  {
    id: crypto.randomUUID(),
    state: 'pending',
    purpose: 'search',
    requester: 'ada',
    requested: ago(4),
    expires: ago(-60 * 24),
    mine: true,
    query: 'salary',
    scope: 'plant-7',
    epochs: ['2026-11'],
    rule: 'pay',
  },
  {
    id: crypto.randomUUID(),
    state: 'approved',
    purpose: 'search',
    requester: 'ada',
    requested: ago(60 * 26),
    expires: ago(-60 * 3),
    mine: true,
    query: 'salary AND ledger',
    scope: 'plant-7',
    epochs: ['2026-11'],
    reason: 'Audit 2026-Q4',
    rule: 'pay',
    decidedBy: 'grace',
    decided: ago(60 * 25),
    decision: 'Within the audit plan',
  },
  {
    id: crypto.randomUUID(),
    state: 'refused',
    purpose: 'search',
    requester: 'carl',
    requested: ago(60 * 50),
    expires: ago(60 * 20),
    mine: false,
    query: 'salary OR bonus',
    scope: 'mail/ada',
    epochs: ['2026-10'],
    reason: 'Curious',
    rule: 'pay',
    decidedBy: 'grace',
    decided: ago(60 * 49),
    decision: 'No purpose is given',
  },
]

export const rules: Rules = {
  version: 7,
  rules: [
    { name: 'works-council', effect: 'refuse', values: ['works council*', 'betriebsrat*'], hideKeywords: true },
    {
      name: 'pay',
      effect: 'approve',
      roles: ['auditor'],
      values: ['salary*', 'bonus*'],
      approvalHours: 24,
      hideKeywords: true,
    },
    {
      name: 'auditors',
      effect: 'allow',
      roles: ['auditor'],
      attributes: 'site:plant-7 OR role:dpo',
      scopes: ['plant-*', 'web'],
      epochsBack: 2,
      perHour: 60,
    },
    {
      name: 'mailboxes',
      effect: 'approve',
      roles: ['auditor'],
      scopes: ['mail/*'],
      fields: ['from', 'subject', 'word'],
      purposes: ['search'],
      perHour: 10,
      approvalHours: 8,
    },
    { name: 'persons', effect: 'approve', roles: ['auditor'], fields: ['user', '*user'], approvalHours: 24 },
    { name: 'routes', effect: 'allow', roles: ['operator'], purposes: ['route'] },
  ],
}

export const rulesOfKeywords: KeywordRules = {
  nextEpoch: '2026-12',
  next: { rules: 2, from: '2026-11', used: true },
  situation: [
    'Before epoch 2026-11 senders made keywords by rules 1, and searches of those epochs ask rules 1.',
    'From epoch 2026-11 on senders that know rules 2 and have the bundle make keywords by them, all others by rules 1; gateways take both, and searches ask both.',
    'No epoch is named from which on they are taken alone.',
    'A search of several epochs asks the rules of each of them.',
    '0 former profiles are kept, of 1,024 at most; all profiles take 94 of 16,777,216 bytes.',
  ],
  profile: { ipPrefixes: ['16'], fields: [], numeric: [], wordPrefixes: '', templates: true, stems: [] },
  room: { former: 0, mostFormer: 1024, bytes: 94, mostBytes: 16_777_216 },
}

export const keys: Keys = {
  locked: false,
  tenant: 'acme',
  authority: 'SHA256:9f4c 21aa 7be0 55d3 018c e1f2 64a9 3b77 c0de 2d18 aa41 90ef',
  signatures: ['Ed25519', 'ML-DSA-65', 'SLH-DSA-SHA2-128f'],
  epochs: 'monthly',
  epoch: '2026-11',
  bundleSerial: 14,
  bundleExpires: ago(-60 * 24 * 26),
  trapdoors: 48_213,
  keys: [
    {
      kind: 'index',
      parameters: 'ntru-peks N2048_Q29',
      id: 'a1b2c3d4e5f60718',
      created: ago(60 * 24 * 20),
      current: true,
    },
    {
      kind: 'index',
      parameters: 'ntru-peks N2048_Q29',
      id: '77aa12fe09bc4d5e',
      created: ago(60 * 24 * 220),
      current: false,
    },
    {
      kind: 'wrap',
      parameters: 'x25519+ml-kem-768',
      id: 'f00dbabe12345678',
      created: ago(60 * 24 * 20),
      current: true,
    },
    { kind: 'policy', parameters: 'cp-fabeo22', id: '0badcafe87654321', created: ago(60 * 24 * 20), current: true },
  ],
}

export const readers: Reader[] = [
  { name: 'ada', attributes: 'role:auditor, site:plant-7', issued: ago(60 * 24 * 3), epochs: ['2026-11', '2026-12'] },
  { name: 'carl', attributes: 'role:dpo, clearance = 5', issued: ago(60 * 24 * 9), epochs: ['2026-11'] },
  {
    name: 'grace',
    attributes: 'role:auditor, site:harbour',
    issued: ago(60 * 24 * 40),
    epochs: ['2026-10', '2026-11'],
  },
]

export const mailUsers: MailUsers = {
  imap: 'mail.acme.example:993',
  smtp: 'proxy.acme.example:2525',
  users: [
    {
      address: 'ada@acme.example',
      scope: 'mailbox-ada@acme.example',
      certificate: '9f4c2b7711fe02ab77c190aa4411be025501aa90ccf00dbabe123456780badca',
      notAfter: '2031-11-27T00:00:00Z',
      issuedHere: true,
      link: {
        state: 'received',
        created: ago(60 * 24 * 3),
        createdBy: 'kim',
        expires: ago(60 * 24 * 2),
        used: ago(60 * 24 * 3 - 40),
      },
    },
    {
      address: 'bob@acme.example',
      issuedHere: true,
      link: { state: 'open', created: ago(90), createdBy: 'kim', expires: ago(-1350) },
    },
    {
      address: 'carl@partner.example',
      scope: 'partners',
      certificate: '77c190aa4411be025501aa90ccf00dbabe123456780badca9f4c2b7711fe02ab',
      notAfter: '2027-02-01T00:00:00Z',
      issuedHere: false,
    },
    {
      address: 'dora@acme.example',
      issuedHere: true,
      link: { state: 'lapsed', created: ago(60 * 24 * 6), createdBy: 'kim', expires: ago(60 * 24 * 5) },
    },
  ],
}

export const senders: Sender[] = [
  {
    name: 'press-4',
    registered: true,
    fingerprint: 'SHA256:11fe 02ab 77c1',
    lastSeen: ago(1),
    lastSequence: 18_220,
    state: 'complete',
    gaps: [],
  },
  {
    name: 'web-1',
    registered: true,
    fingerprint: 'SHA256:90aa 4411 be02',
    lastSeen: ago(3),
    lastSequence: 9_412,
    state: 'gaps',
    gaps: ['8,120 to 8,124 missing'],
  },
  {
    name: 'gate-a',
    registered: true,
    fingerprint: 'SHA256:5501 77aa 90cc',
    lastSeen: ago(2900),
    lastSequence: 77,
    state: 'silent',
    gaps: [],
  },
  { name: 'new-7', registered: true, fingerprint: 'SHA256:aa01 1212 3434', state: 'unknown', gaps: [] },
  { name: 'smtp', registered: false, lastSeen: ago(0), state: 'unregistered', gaps: [] },
  ...Array.from({ length: 240 }, (_, i): Sender => {
    const silent = i % 31 === 7
    return {
      name: `line-${String(i).padStart(3, '0')}.hall-${i % 4}.plant.example`,
      registered: true,
      fingerprint: `SHA256:${(i * 48_271 + 11).toString(16).padStart(4, '0')} 77c1 02ab`,
      lastSeen: ago(silent ? 60 * 30 : (i % 50) + 1),
      lastSequence: 1_000 + i * 13,
      state: silent ? 'silent' : 'complete',
      gaps: [],
    }
  }),
]

export const keywordRules: RulesInUse = {
  next: { rules: 2, from: '2026-11' },
  senders: [
    { name: 'gate-a', former: ago(2900) },
    { name: 'new-7' },
    { name: 'press-4', former: ago(60 * 24 * 9), later: ago(1) },
    { name: 'web-1', former: ago(3) },
    { name: '', former: ago(12), later: ago(30) },
  ],
}

export const routes: Route[] = [
  {
    name: 'urgent',
    actions: ['forward to oncall@example.org'],
    scope: 'mail/ops',
    epochs: ['2026-11', '2026-12'],
    ends: ago(-60 * 24 * 39),
    matches: 412,
    lastMatch: ago(44),
    rules: [1],
    former: true,
    renewable: true,
    query: 'subject:urgent OR urgnet',
    understood: {
      terms: [
        { kind: 'term', field: 'subject', text: 'urgent' },
        { kind: 'operator', field: '', text: 'OR' },
        { kind: 'term', field: 'word', text: 'urgnet' },
      ],
      notes: [],
    },
  },
  {
    name: 'overheat',
    actions: ['publish to alerts/plant-7', 'call https://pager.example.org/hook'],
    scope: 'plant-7',
    epochs: ['2026-11'],
    ends: ago(-60 * 24 * 4),
    matches: 3,
    lastMatch: ago(60 * 30),
    rules: [1, 2],
    former: false,
    renewable: true,
  },
  {
    name: 'root-logins',
    actions: ['publish to alerts/root'],
    ends: ago(-60 * 24 * 4),
    matches: 0,
    rules: [1],
    former: true,
    renewable: false,
  },
]

export const saved: SavedSearch[] = [
  {
    id: crypto.randomUUID(),
    name: 'Failed logins, plant 7',
    created: ago(60 * 24 * 12),
    query: { query: 'level:erorr AND unit:sshd', scope: 'plant-7', mail: false },
    understood: {
      terms: [
        { kind: 'term', field: 'level', text: 'erorr' },
        { kind: 'operator', field: '', text: 'AND' },
        { kind: 'term', field: 'unit', text: 'sshd' },
      ],
      notes: ['Perhaps a mistake, at character 1: this is no common level; the nearest is error.'],
    },
  },
  {
    id: crypto.randomUUID(),
    name: 'Urgent mail',
    created: ago(60 * 24 * 2),
    query: { query: 'subject:urgent', scope: 'mail/ada', mail: true },
  },
]

const KINDS = ['search', 'trapdoor', 'decision', 'approval', 'opened', 'reader-key', 'rules', 'login']

export function log(size: number): LogEntry[] {
  return Array.from({ length: size }, (_, i) => {
    const number = size - 1 - i
    const kind = KINDS[number % KINDS.length] as string
    return {
      number,
      time: ago(i * 7 + 1),
      actor: ['ada', 'carl', 'grace'][number % 3] as string,
      kind,
      sealed: number % 5 === 0,
      details:
        kind === 'trapdoor'
          ? [
              { name: 'digest', value: `${(number * 2654435761).toString(16)}c0ffee${number.toString(16)}` },
              { name: 'scope', value: 'plant-7' },
              { name: 'epoch', value: '2026-11' },
            ]
          : [
              { name: 'rule', value: 'auditors' },
              { name: 'outcome', value: number % 4 ? 'allowed' : 'refused' },
            ],
    }
  })
}

export const status = (): GatewayStatus => ({
  reachable: true,
  postQuantum: { console: 'Bouncy Castle 1.86 and Java 25', gateway: 'liboqs 0.13.0' },
  version: '0.9.0',
  problems: [
    { kind: 'certificate-ending', names: [], since: ago(-60 * 24 * 5) },
    { kind: 'deliveries-given-up', count: 3, names: ['urgent'] },
    { kind: 'disk-low', count: 4_100_000_000, names: [] },
    { kind: 'senders-with-gaps', count: 1, names: ['web-1'] },
    { kind: 'senders-silent', count: 212, names: ['gate-a', 'gate-b', 'press-9'], since: ago(60 * 26) },
  ],
  notKnown: ['machine'],
  figures: [
    { name: 'stored', label: 'Stored envelopes', value: 1_248_113, unit: 'count' },
    { name: 'bytes', label: 'Storage', value: 48_231_000_112, unit: 'bytes' },
    { name: 'ingest', label: 'Lines taken', value: 812 + Math.round(Math.random() * 90), unit: 'per-second' },
    { name: 'scan', label: 'Scan speed', value: 91_200, unit: 'per-second' },
    { name: 'queue', label: 'Deliveries waiting', value: 3, unit: 'count' },
    { name: 'oldest', label: 'Oldest waiting delivery', value: 41, unit: 'seconds' },
    { name: 'uptime', label: 'Running for', value: 412_000, unit: 'seconds' },
  ],
})

const SPANS: Record<string, [minutes: number, steps: number]> = { hour: [1, 60], day: [60, 24], month: [1440, 31] }

/** With a time in which the gateway did not run. */
export function figures(span: string): FigureSeries {
  const [minutes, steps] = SPANS[span] ?? [1, 60]
  const width = minutes * 60_000
  const to = (Math.floor(Date.now() / width) + 1) * width
  const from = to - steps * width
  const points: FigurePoint[] = []
  for (let i = 0; i < steps - 1; i++) {
    const wave = 1 + Math.sin(i / 5)
    if (i < steps * 0.3 || i > steps * 0.42) {
      points.push({
        begins: new Date(from + i * width).toISOString(),
        minutes,
        lines: Math.round(minutes * (600 + 500 * wave)),
        mails: Math.round(minutes * wave * 2),
        searches: i % 7 === 0 ? 3 : 0,
        delivered: Math.round(wave * 4),
        failed: i > steps * 0.8 ? 3 : 0,
        envelopes: 1_240_000 + i * 120,
        waiting: i > steps * 0.8 ? i - Math.round(steps * 0.8) : 0,
        backlogBytes: Math.round(wave * 180_000),
        freeBytes: 6_000_000_000 - i * 30_000_000,
      })
    }
  }
  return {
    kept: true,
    stepMinutes: minutes,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    points,
  }
}

export const indexes: SenderIndexes = {
  dayStopped: false,
  mostOfSender: 16,
  mostOfDay: 256,
  senders: [
    {
      name: 'press-4',
      checked: 812,
      lacking: 0,
      excused: 2,
      notChecked: 5,
      reasons: [],
      counted: 0,
      stopped: false,
      caller: false,
    },
  ],
}
