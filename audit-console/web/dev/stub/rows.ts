import type { NearbyRecord, RecordDetail, Row } from '../../src/shared/api/types.ts'

/** Rows are made of their number: a million of them take no memory, and the same one is always the same. */
function hash(n: number): number {
  let h = (n + 0x9e3779b9) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const pick = <T>(of: readonly T[], n: number): T => of[n % of.length] as T

const uuid = (n: number): string => {
  const hex = (x: number, width: number) => (hash(x) % 16 ** width).toString(16).padStart(width, '0')
  return `0193${hex(n, 4)}-${hex(n + 1, 4)}-7${hex(n + 2, 3)}-9${hex(n + 3, 3)}-${hex(n + 4, 6)}${hex(n + 5, 6)}`
}

const LINES: ((n: number) => [string, string, string])[] = [
  n => [
    'error',
    'journald/sshd.service',
    `Failed password for invalid user admin from 10.0.${n % 256}.${(n >> 8) % 256} port ${40000 + (n % 20000)} ssh2`,
  ],
  n => [
    'error',
    '/var/log/press/plc.log',
    `pump[${n % 9}]: overheat, temperature=${70 + (n % 40)} limit=85, shutting down stage ${1 + (n % 3)}`,
  ],
  n => [
    'warn',
    '/var/log/nginx/access.log',
    `10.1.${n % 256}.7 "GET /api/orders/${n % 9999} HTTP/1.1" 502 ${n % 4096} upstream timed out`,
  ],
  n => ['critical', 'journald/kernel', `ata${1 + (n % 4)}.00: failed command: READ FPDMA QUEUED, sector ${n}`],
  n => [
    'error',
    '/var/log/app/billing.log',
    `{"event":"charge_failed","order":${n % 100000},"reason":"card declined","retry":${n % 4}}`,
  ],
  n => ['info', 'journald/systemd', `Started Session ${n % 9000} of User ada.`],
  n => [
    'error',
    '/var/log/app/billing.log',
    `java.net.SocketTimeoutException: connect timed out (attempt ${1 + (n % 5)} of 5) at host ledger-${n % 4}.internal`,
  ],
]

const PEOPLE = [
  'ada@example.org',
  'carl@example.org',
  'grace.hopper@navy.example',
  'Newsletter <news@shop.example>',
  'eve@partner.example',
  'ops@example.org',
]

const SUBJECTS = [
  'URGENT: pump 3 is over temperature',
  'Annual report, second draft',
  'Re: access to the plant-7 recorder',
  'Your invoice 2026-11-4471',
  'Minutes of Tuesday’s review',
  'URGENT: please call back before noon',
]

export interface Span {
  from: number
  to: number
}

export function timeOf(n: number, total: number, span: Span): string {
  const h = hash(n) / 2 ** 32
  const wave = h < 0.3 ? 0.62 + 0.05 * (hash(n + 7) / 2 ** 32) : h
  return new Date(
    span.from + Math.min(0.999, wave) * (span.to - span.from) + (n / Math.max(1, total)) * 500,
  ).toISOString()
}

export function makeRow(n: number, total: number, span: Span, mail: boolean): Row {
  const h = hash(n)
  const base: Row = {
    row: n,
    kind: mail ? 'mail' : 'record',
    envelope: uuid(n >> 2),
    ordinal: n % 4,
    time: timeOf(n, total, span),
    sender: mail ? 'smtp' : pick(['press-4', 'web-1', 'web-2', 'ledger-0', 'gate-a'], h >>> 3),
    proven: !mail && h % 11 !== 0,
    ...(!mail && { sequence: 1000 + (n >> 2) }),
  }
  if (h % 17 === 0) {
    const missing = pick([['role:dpo'], ['site:plant-7', 'role:dpo'], ['clearance >= 3']], h >>> 5)
    return { ...base, kind: 'unreadable', why: 'Your attributes do not satisfy its policy.', missing }
  }
  if (mail) {
    const signed = pick(['sender', 'sender', 'sender', 'tenant', 'stranger', 'nobody', 'another'] as const, h >>> 9)
    const from = pick(PEOPLE, h)
    return {
      ...base,
      from,
      to: pick(PEOPLE, h >>> 4),
      text: pick(SUBJECTS, h >>> 7),
      signed,
      ...(signed === 'sender' && { signedBy: from.replace(/^.*<|>.*$/g, '') }),
      ...(signed === 'another' && { signedBy: 'carl@example.org' }),
      ...(signed === 'nobody' && h % 5 === 0 && { altered: ['From', 'Subject'] }),
    }
  }
  const [level, origin, text] = pick(LINES, h >>> 6)(h)
  return { ...base, level, origin, text }
}

/** Names of the fields that the records have. */
export const FIELDS = ['user', 'status', 'temperature', 'order', 'attempt', 'ip']

/** The values of a record's fields, by their numbers. */
export function valuesOf({ text = '', kind }: Row): Record<string, string[]> {
  if (kind !== 'record') {
    return {}
  }
  const found = [
    /(?:user|User) (\w+)/.exec(text)?.[1]?.toLowerCase(),
    /HTTP\S* (\d{3})/.exec(text)?.[1],
    /temperature=(\d+)/.exec(text)?.[1],
    /"order":(\d+)/.exec(text)?.[1],
    /attempt (\d)/.exec(text)?.[1],
    /\b(10(?:\.\d+){3})\b/.exec(text)?.[1],
  ]
  return Object.fromEntries(found.flatMap((value, i) => (value === undefined ? [] : [[i, [value]]])))
}

/** Without what columns beside it say, as the console does. */
export function briefOf({ text = '' }: Row): { brief?: string } {
  if (!text.startsWith('{')) {
    return {}
  }
  const { event, ...others } = JSON.parse(text) as Record<string, unknown>
  const rest = Object.entries({ event, ...others }).map(([name, value]) => `${name}=${String(value)}`)
  return { brief: rest.join('  ') }
}

const HTML = `<h2>Pump 3 is over temperature</h2><p>Stage 2 was shut down at <b>14:07</b>.
The last readings:</p><table border="1" cellpadding="6"><tr><th>Time</th><th>°C</th></tr><tr><td>14:05</td><td>88</td></tr><tr><td>14:06</td><td>93</td></tr></table><p>Please <u>confirm</u> to the control room.</p>`

const written = (name: string, value: string) => `${name}:${/^[\w/.-]+$/.test(value) ? value : JSON.stringify(value)}`

const fieldOf = (name: string, value: string) => ({ name, value, term: written(name, value) })

const termOf = (name: string, value: string) => ({ keyword: `${name}:${value}`, term: written(name, value) })

const wordOf = (word: string) => ({ keyword: `word:${word}`, term: word })

export function detailOf(row: Row): RecordDetail {
  const common = {
    row,
    scope: row.kind === 'mail' ? 'mail/ada' : 'plant-7',
    epoch: '2026-11',
    policy: ['role:auditor AND site:plant-7', 'role:dpo'],
    wraps: ['abe+x25519+ml-kem-768'],
  }
  if (row.kind === 'unreadable') {
    return { ...common, fields: [], text: '', keywords: [] }
  }
  if (row.kind === 'mail') {
    return {
      ...common,
      fields: [],
      keywords: [...['urgent', 'pump', 'temperature'].map(wordOf), termOf('from', row.from ?? '')],
      text: '',
      mail: mailOf(row),
    }
  }
  const fields: RecordDetail['fields'] = [
    { name: 'time', value: row.time ?? '', term: `time:${(row.time ?? '').slice(0, 16)}` },
    { name: 'sender', value: row.sender, filter: 'sender' },
    fieldOf('source', row.origin ?? ''),
    fieldOf('level', row.level ?? ''),
    fieldOf('host', row.sender),
    fieldOf('app', row.origin?.split('/').at(-1)?.replace('.log', '') ?? ''),
    fieldOf('message', 'two words: and a colon'),
  ]
  const words = (row.text ?? '').toLowerCase().match(/[a-z]{3,}/g) ?? []
  return {
    ...common,
    fields,
    keywords: [termOf('level', row.level ?? ''), termOf('host', row.sender), ...[...new Set(words)].map(wordOf)],
    text: row.text ?? '',
  }
}

function mailOf(row: Row): RecordDetail['mail'] {
  const headers = [
    { name: 'From', value: row.from ?? '' },
    { name: 'To', value: row.to ?? '' },
    { name: 'Subject', value: row.text ?? '' },
    { name: 'Date', value: new Date(row.time ?? 0).toUTCString() },
    { name: 'Message-ID', value: `<${row.envelope}@example.org>` },
    { name: 'MIME-Version', value: '1.0' },
    { name: 'X-Mailer', value: 'plc-notify 2.1' },
  ]
  return {
    headers,
    text: 'Pump 3 is over temperature.\n\nStage 2 was shut down at 14:07. The last readings: 14:05 88 °C, 14:06 93 °C.\n\nPlease confirm to the control room.\n\n-- \nPlant 7, automatic notice',
    ...(row.row % 2 === 0 && { html: HTML, removed: ['2 remote images', '1 script', '1 form'] }),
    attachments:
      row.row % 3 === 0
        ? [
            { number: 0, name: 'readings 2026-11-21.csv', type: 'text/csv', bytes: 18_244 },
            { number: 1, name: 'stage2.png', type: 'image/png', bytes: 211_904 },
          ]
        : [],
  }
}

export function nearby(row: Row, before: number, after: number): NearbyRecord[] {
  return Array.from({ length: before + after + 1 }, (_, i) => {
    const shift = i - before
    const other = makeRow(row.row * 7 + shift, 1, { from: 0, to: 1 }, false)
    const time = new Date(Date.parse(row.time ?? '') + shift * 1300).toISOString()
    if (shift === 0) {
      return { envelope: row.envelope, ordinal: row.ordinal ?? 0, time, text: row.text, isHit: true, why: row.why }
    }
    return other.kind === 'unreadable'
      ? { envelope: other.envelope, ordinal: shift + 1000, time, isHit: false, why: 'needs role:dpo' }
      : { envelope: other.envelope, ordinal: shift + 1000, time, text: other.text, isHit: hash(i) % 5 === 0 }
  })
}
