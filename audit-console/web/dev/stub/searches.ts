import type {
  Approval,
  Histogram,
  Query,
  QueryCheck,
  QueryTerm,
  Rechecked,
  Row,
  Rows,
  Search,
  SourceChain,
  UncheckedMails,
  Fields,
  FieldValues,
} from '../../src/shared/api/types.ts'
import { Refusal } from './http.ts'
import { briefOf, FIELDS, makeRow, timeOf, valuesOf, type Span } from './rows.ts'

interface Held {
  id: string
  query: Query
  started: number
  stoppedAt?: number
  plan: Plan
  unchecked: Row[]
}

interface Plan {
  rows: number
  millis: number
  envelopes: number
  /** Where it ends before its end, and how. */
  end?: { share: number; state: 'failed' | 'limited'; problem?: string }
}

const LEAKAGE = (trapdoors: number): string[] => [
  `It gets ${trapdoors} trapdoors; the same word gives the same one again, so that it can link searches.`,
  'It sees which records match each term, and how the terms are joined by AND, OR and NOT.',
  'It can test guesses of each keyword. It does not see the keywords, nor what the records say.',
]

/** The words of a query choose what happens: see README.md in dev. */
export function check(query: Query, approved: boolean): QueryCheck {
  const text = query.query
  const errors = syntax(text)
  const terms = text
    .split(/\s+|(?=[()])|(?<=[()])/)
    .filter(Boolean)
    .map(asTerm)
  const trapdoors = terms.filter(({ kind }) => kind === 'term').length * 2
  const base = {
    errors,
    warnings: [],
    terms,
    notes: [],
    epochs: ['2026-10', '2026-11'],
    trapdoors,
    leakage: LEAKAGE(trapdoors),
  }
  if (errors.length > 0) {
    return { ...base, epochs: [], trapdoors: 0, leakage: [] }
  }
  if (/refused/.test(text)) {
    return {
      ...base,
      decision: {
        outcome: 'refused',
        reason: 'Searches for names of members of the works council are not allowed.',
        rule: 'works-council',
      },
    }
  }
  if (/salary/.test(text)) {
    const reason = 'Terms about pay need a member of the data protection office.'
    return {
      ...base,
      decision: { outcome: 'needs-approval', reason, rule: 'pay', ...(approved && { approval: crypto.randomUUID() }) },
    }
  }
  return { ...base, decision: { outcome: 'allowed', reason: 'Auditors may search plant-*.', rule: 'auditors' } }
}

function asTerm(text: string): QueryTerm {
  if (/^(AND|OR|NOT)$/.test(text)) {
    return { kind: 'operator', field: '', text }
  }
  if (/^[()]$/.test(text)) {
    return { kind: 'bracket', field: '', text }
  }
  const colon = text.indexOf(':')
  return { kind: 'term', field: colon < 0 ? 'word' : text.slice(0, colon), text: text.slice(colon + 1) }
}

function syntax(text: string): QueryCheck['errors'] {
  const minus = / -(?=\S)/.exec(text)
  if (minus) {
    return [
      {
        message: 'the query has - or ! where only NOT leaves something out, beside a word that must be there',
        at: minus.index + 1,
        suggestions: [text.replaceAll(/ -(?=\S)/g, ' NOT ')],
      },
    ]
  }
  let open = 0
  for (let i = 0; i < text.length; i++) {
    open += text[i] === '(' ? 1 : text[i] === ')' ? -1 : 0
    if (open < 0) {
      return [{ message: 'has a ) without its (; text with parentheses goes into quotes', at: i, suggestions: [] }]
    }
  }
  const not = /(^|OR )NOT /.exec(text)
  if (not && !text.includes('AND')) {
    return [
      {
        message: 'needs something that is searched for beside NOT, in an AND: level:error AND NOT user:root',
        at: not.index,
        suggestions: [],
      },
    ]
  }
  return open > 0 ? [{ message: 'has a ( without its )', at: text.lastIndexOf('('), suggestions: [`${text})`] }] : []
}

export class Searches {
  private readonly held = new Map<string, Held>()
  approvals: Approval[] = []

  approved(query: string): boolean {
    return this.approvals.some(approval => approval.query === query && approval.state === 'approved')
  }

  start(query: Query): Search {
    const text = query.query
    if (/locked/.test(text)) {
      throw new Refusal(423, 'The key store is locked')
    }
    if (/away/.test(text)) {
      throw new Refusal(502, 'The gateway does not answer', 'Connection to https://gateway.example.org refused.')
    }
    const id = crypto.randomUUID()
    const started = Date.now()
    const unchecked = query.mail ? uncheckedOf(span(query, started)) : []
    this.held.set(id, { id, query, started, plan: plan(text), unchecked })
    return this.state(id)
  }

  all(): Search[] {
    return [...this.held.keys()].map(id => this.state(id)).reverse()
  }

  stop(id: string): void {
    this.get(id).stoppedAt ??= Date.now()
  }

  forget(id: string): void {
    this.held.delete(id)
  }

  state(id: string): Search {
    const { query, started, stoppedAt, plan, unchecked } = this.get(id)
    const elapsed = (stoppedAt ?? Date.now()) - started
    const planned = Math.min(1, Math.max(0, (elapsed - 150) / plan.millis))
    const share = Math.min(planned, plan.end?.share ?? 1)
    const state =
      elapsed < 150
        ? 'issuing'
        : share === 1
          ? 'complete'
          : planned > share
            ? plan.end!.state
            : stoppedAt
              ? 'stopped'
              : 'running'
    const rows = Math.floor(plan.rows * share)
    return {
      id,
      query: query.query,
      scope: query.scope,
      mail: query.mail ?? false,
      from: query.from,
      to: query.to,
      state,
      problem: state === 'failed' ? plan.end?.problem : undefined,
      started: new Date(started).toISOString(),
      millis: Math.round(share * plan.millis) + 150,
      issueMillis: state === 'issuing' ? undefined : 14,
      firstRowMillis: 212,
      envelopes: plan.envelopes,
      envelopesDone: Math.floor(plan.envelopes * share),
      blocksTested: Math.floor(plan.envelopes * share * 1.4),
      blocksRemembered: Math.floor(plan.envelopes * share * 0.2),
      perSecond: (plan.envelopes / plan.millis) * 1000,
      remainingMillis: (1 - share) * plan.millis,
      envelopesFound: Math.ceil(rows / 3),
      rows,
      unreadable: Math.floor(rows / 17),
      unchecked: unchecked.length,
      dropped: rows > 4000 ? 3 : 0,
      trapdoors: 4,
      issued: state === 'issuing' ? Math.floor(elapsed / 40) : 4,
      leakage: LEAKAGE(4),
    }
  }

  row(id: string, n: number) {
    const { query, plan, started } = this.get(id)
    return makeRow(n, plan.rows, span(query, started), query.mail ?? false)
  }

  /** Up to 50,000 rows are sorted; of more, the order of discovery is turned round. */
  private order(id: string, sort: string, upTo: number): (place: number) => number {
    if (sort === '') {
      return place => place
    }
    const descending = sort.startsWith('-')
    const column = sort.replace('-', '')
    if (upTo > 50_000) {
      return place => (descending ? upTo - 1 - place : place)
    }
    const key = (n: number): string => {
      const row = this.row(id, n)
      const field = /^field-(\d+)$/.exec(column)?.[1]
      return (
        (field === undefined ? (row as unknown as Record<string, string>)[column] : valuesOf(row)[field]?.[0]) ??
        '\uffff'
      )
    }
    const keys = Array.from({ length: upTo }, (_, n) => key(n))
    const order = keys.map((_, n) => n)
    order.sort((a, b) => {
      const [x = '', y = ''] = [keys[a], keys[b]]
      return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1) || a - b
    })
    return place => order[place] ?? 0
  }

  rows(id: string, from: number, count: number, sort = '', wanted?: number, fields: number[] = []): Rows {
    const total = this.state(id).rows
    const sorted = Math.min(total, wanted ?? total)
    const end = Math.min(sorted, from + count)
    const order = this.order(id, sort, sorted)
    const rows = Array.from({ length: Math.max(0, end - from) }, (_, i) => {
      const row = this.row(id, order(from + i))
      const own = valuesOf(row)
      const values = Object.fromEntries(fields.flatMap(field => (own[field] ? [[field, own[field]]] : [])))
      return { ...row, ...(row.kind === 'record' && briefOf(row)), ...(fields.length > 0 && { values }) }
    })
    return { from, total, sorted, rows }
  }

  private counted(id: string): Map<string, Map<string, number>> {
    const { rows } = this.state(id)
    const counts = new Map<string, Map<string, number>>()
    const add = (column: string, value: string | undefined) => {
      if (value !== undefined) {
        const values = counts.get(column) ?? new Map<string, number>()
        counts.set(column, values.set(value, (values.get(value) ?? 0) + 1))
      }
    }
    for (let n = 0; n < Math.min(rows, 20_000); n++) {
      const row = this.row(id, n)
      add('sender', row.sender)
      add('level', row.level)
      add('origin', row.origin)
      add('from', row.from)
      add('to', row.to)
      Object.entries(valuesOf(row)).forEach(([field, [value]]) => add(`field-${field}`, value))
    }
    return counts
  }

  fields(id: string): Fields {
    const { rows } = this.state(id)
    const fields = [...this.counted(id)].map(([column, values]) => ({
      column,
      name: FIELDS[Number(column.replace('field-', ''))] ?? column,
      isFact: !column.startsWith('field-'),
      rows: [...values.values()].reduce((sum, n) => sum + n, 0),
      distinct: values.size,
    }))
    return {
      counted: Math.min(rows, 20_000),
      total: rows,
      fields: fields.sort((a, b) => Number(b.isFact) - Number(a.isFact) || b.rows - a.rows),
    }
  }

  values(id: string, column: string, top: number): FieldValues {
    const of = this.fields(id)
    const field = of.fields.find(each => each.column === column)
    const values = [...(this.counted(id).get(column) ?? [])].sort(([, a], [, b]) => b - a)
    const numbers = values.map(([value]) => Number(value)).sort((a, b) => a - b)
    const at = (place: number) => String(numbers[Math.floor(place * (numbers.length - 1))])
    return {
      column,
      name: field?.name ?? column,
      counted: of.counted,
      rows: field?.rows ?? 0,
      distinct: values.length,
      ...(numbers.length > 1 &&
        numbers.every(Number.isFinite) && { numbers: { minimum: at(0), median: at(0.5), maximum: at(1) } }),
      values: values.slice(0, top).map(([value, rows]) => ({
        value,
        rows,
        ...(column === 'sender' ? { filter: 'sender' as const } : { term: `${field?.name}:${value}` }),
      })),
    }
  }

  place(id: string, row: number, sort: string, upTo: number): number {
    const order = this.order(id, sort, upTo)
    return Array.from({ length: upTo }, (_, place) => order(place)).indexOf(row)
  }

  unchecked(id: string): UncheckedMails {
    const { unchecked } = this.get(id)
    return { total: unchecked.length, mails: unchecked }
  }

  /** The first is found, the last takes too long still. */
  recheck(id: string, number: number): Rechecked {
    const held = this.get(id)
    const verdict = (['found', 'not-found', 'not-asked-for', 'unchecked'] as const)[number]
    if (verdict === undefined || !held.unchecked.some(({ row }) => row === number)) {
      throw new Refusal(404, 'There is no such mail')
    }
    if (verdict !== 'unchecked') {
      held.unchecked = held.unchecked.filter(({ row }) => row !== number)
    }
    return verdict === 'found' ? { verdict, row: held.plan.rows++ } : { verdict }
  }

  histogram(id: string, buckets: number): Histogram {
    const { query, plan, started } = this.get(id)
    const { rows } = this.state(id)
    const range = span(query, started)
    const widthMillis = Math.max(1, Math.ceil((range.to - range.from) / buckets))
    const counts = new Array<number>(Math.ceil((range.to - range.from) / widthMillis)).fill(0)
    const step = Math.max(1, Math.floor(rows / 20_000))
    for (let n = 0; n < rows; n += step) {
      const at = Date.parse(timeOf(n, plan.rows, range)) - range.from
      const bucket = Math.min(counts.length - 1, Math.floor(at / widthMillis))
      counts[bucket] = (counts[bucket] ?? 0) + step
    }
    return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString(), widthMillis, counts }
  }

  sources(): SourceChain[] {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    return [
      { sender: 'press-4', state: 'complete', last: 18_220, lastSeen: ago(1), gaps: [] },
      {
        sender: 'web-1',
        state: 'gaps',
        last: 9_412,
        lastSeen: ago(3),
        gaps: ['8,120 to 8,124 missing', '9,001 altered'],
      },
      { sender: 'gate-a', state: 'silent', last: 77, lastSeen: ago(2900), gaps: [] },
      { sender: 'smtp', state: 'unregistered', gaps: [] },
    ]
  }

  private get(id: string): Held {
    const held = this.held.get(id)
    if (!held) {
      throw new Refusal(404, 'There is no such search', 'It was forgotten, or is another person’s.')
    }
    return held
  }
}

const uncheckedOf = (range: Span): Row[] =>
  [2, 5, 4, 22].map((n, row) => ({ ...makeRow(n, 1, range, true), row, kind: 'unchecked' }))

function span(query: Query, started: number): Span {
  return {
    from: query.from ? Date.parse(query.from) : started - 21 * 86_400_000,
    to: query.to ? Date.parse(query.to) : started,
  }
}

function plan(text: string): Plan {
  const base = { rows: 4812, millis: 2500, envelopes: 250_000 }
  if (/million/.test(text)) {
    return { rows: 1_000_000, millis: 4000, envelopes: 1_200_000 }
  }
  if (/nothing/.test(text)) {
    return { ...base, rows: 0, millis: 1200 }
  }
  if (/slow/.test(text)) {
    return { ...base, rows: 40_000, millis: 60_000 }
  }
  if (/fail/.test(text)) {
    return {
      ...base,
      end: { share: 0.4, state: 'failed', problem: 'The gateway closed the connection while it was scanning.' },
    }
  }
  return /limited/.test(text) ? { ...base, rows: 20_000, end: { share: 0.5, state: 'limited' } } : base
}
