import type { Query, Search } from '@/shared/api/types'
import { DEFAULT_TIME, resolve, type TimeRange } from './time'

/** A search as it stands in the bar, not yet asked. */
export interface Draft {
  query: string
  scope: string
  mail: boolean
  time: TimeRange
  senders: string[]
  reason: string
}

export const NEW_DRAFT: Draft = { query: '', scope: '', mail: false, time: DEFAULT_TIME, senders: [], reason: '' }

export function toQuery(draft: Draft, now = Date.now()): Query {
  return {
    query: draft.query.trim(),
    scope: draft.scope,
    mail: draft.mail,
    ...resolve(draft.time, now),
    ...(draft.senders.length > 0 && { senders: draft.senders }),
  }
}

type Asked = Pick<Search, 'query' | 'scope' | 'from' | 'to'> & { mail?: boolean; senders?: string[] }

export function fromQuery(asked: Asked): Draft {
  const time: TimeRange =
    asked.from && asked.to ? { kind: 'absolute', from: asked.from, to: asked.to } : { kind: 'epoch' }
  return {
    ...NEW_DRAFT,
    query: asked.query,
    scope: asked.scope,
    mail: asked.mail ?? false,
    time,
    senders: asked.senders ?? [],
  }
}

/** Whether two drafts ask for the same, whatever the reason. */
export function isSameSearch(a: Draft, b: Draft): boolean {
  const asked = ({ query, scope, time, senders }: Draft) =>
    JSON.stringify([query.trim(), scope, spanOf(time), [...senders].sort()])
  return asked(a) === asked(b)
}

const spanOf = (time: TimeRange): unknown[] => {
  switch (time.kind) {
    case 'relative':
      return [time.minutes]
    case 'absolute':
      return [Date.parse(time.from), Date.parse(time.to)]
    case 'epoch':
      return []
  }
}

/** A term for exactly this value: quoted unless it is plain by its letters, since signs may be operators of some language. */
export function term(field: string, value: string): string {
  const plain =
    /^[\p{L}\p{N}_/](?:[\p{L}\p{N}_.:/@-]*[\p{L}\p{N}_])?$/u.test(value) &&
    !value.includes('..') &&
    !/^(and|or|not)$/i.test(value) &&
    !/^[\d.]+\/\d+$/.test(value)
  const written = plain ? value : `"${value.replace(/(["\\])/g, '\\$1')}"`
  // Words and numbers of the text are searched without a field.
  return field === 'word' || field === 'number' ? written : `${field}:${written}`
}

/** Narrows a query by one more term. What stood there stays one unit. */
export function withTerm(query: string, added: string, exclude: boolean): string {
  const old = query.trim()
  const wanted = exclude ? `NOT ${added}` : added
  if (old === '') {
    return wanted
  }
  if (` ${old} `.replace(/[()]/g, ' ').includes(` ${wanted} `)) {
    return old
  }
  return /\bOR\b/.test(old) ? `(${old}) AND ${wanted}` : `${old} AND ${wanted}`
}
