import type { Query, Search, Signer } from '@/shared/api/types'
import { lex } from './lexer'
import { DEFAULT_TIME, resolve, type TimeRange } from './time'

/** A search as it stands in the bar, not yet asked. */
export interface Draft {
  query: string
  scope: string
  mail: boolean
  time: TimeRange
  senders: string[]
  /** Of mails, only those signed so; none for all. */
  signed: Signer[]
  reason: string
}

export const NEW_DRAFT: Draft = {
  query: '',
  scope: '',
  mail: false,
  time: DEFAULT_TIME,
  senders: [],
  signed: [],
  reason: '',
}

export function toQuery(draft: Draft, now = Date.now()): Query {
  return {
    query: draft.query.trim(),
    scope: draft.scope,
    mail: draft.mail,
    ...resolve(draft.time, now),
    ...(draft.senders.length > 0 && { senders: draft.senders }),
    ...(draft.mail && draft.signed.length > 0 && { signed: draft.signed }),
  }
}

type Asked = Pick<Search, 'query' | 'scope' | 'from' | 'to'> & { mail?: boolean; senders?: string[]; signed?: Signer[] }

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
    signed: asked.signed ?? [],
  }
}

/** Whether two drafts ask for the same, whatever the reason. */
export function isSameSearch(a: Draft, b: Draft): boolean {
  const asked = ({ query, scope, mail, time, senders, signed }: Draft) =>
    JSON.stringify([query.trim(), scope, spanOf(time), [...senders].sort(), mail ? [...signed].sort() : []])
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

/** A query with one more term, or why it cannot have it. */
export type Narrowed = { query: string; why?: undefined } | { query?: undefined; why: string }

/** Most characters of a query, as the server has it. */
export const MOST_CHARACTERS = 8192

/** Narrows a query by a term, or by leaving it out. What stood there stays one unit; a term that asks for the opposite is replaced. */
export function narrowed(query: string, term: string, exclude: boolean): Narrowed {
  const old = query.trim()
  const wanted = exclude ? `NOT ${term}` : term
  const members = membersOf(old)
  const isTerm = ({ text }: Member) => text.toLowerCase() === term.toLowerCase()
  if (members?.some(member => isTerm(member) && member.not === exclude)) {
    return { why: exclude ? 'the query leaves it out already' : 'the query asks for it already' }
  }
  const kept = members?.filter(member => !isTerm(member))
  if (exclude && kept && !kept.some(({ not }) => !not)) {
    return {
      why:
        kept.length === members?.length
          ? 'write first what to search for: a query of NOT alone is not possible'
          : 'the query asks for nothing else, and a query of NOT alone is not possible',
    }
  }
  const narrow =
    kept === undefined
      ? `(${old}) AND ${wanted}`
      : kept.length === members?.length
        ? [...(old === '' ? [] : [old]), wanted].join(' AND ')
        : [...kept.map(({ text, not }) => (not ? `NOT ${text}` : text)), wanted].join(' AND ')
  return narrow.length > MOST_CHARACTERS ? { why: 'the query would be too long' } : { query: narrow }
}

interface Member {
  text: string
  not: boolean
}

/** What must all hold: terms and groups in parentheses. Undefined if the query is of several alternatives. */
function membersOf(query: string): Member[] | undefined {
  const members: Member[] = []
  let text = ''
  let not = false
  let open = 0
  const end = () => {
    if (text !== '') {
      members.push({ text, not })
      not = false
      text = ''
    }
  }
  for (const token of lex(query)) {
    if (token.kind === 'space' && open === 0) {
      end()
    } else if (token.kind === 'operator' && open === 0 && text === '') {
      if (token.text === 'OR') {
        return undefined
      }
      not = token.text === 'NOT' ? !not : not
    } else {
      open += token.text === '(' ? 1 : token.text === ')' ? -1 : 0
      text += token.text
    }
  }
  end()
  return members
}
