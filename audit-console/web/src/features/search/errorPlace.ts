import type { QueryError } from '@/shared/api/types'
import { lex } from './lexer'

export interface Place {
  start: number
  /** Exclusive. */
  end: number
}

/** The terms of a query: what stands between spaces, brackets and operators. */
function terms(query: string): Place[] {
  const places: Place[] = []
  let open: Place | undefined
  for (const { kind, text, start } of lex(query)) {
    if (kind === 'space' || kind === 'bracket' || kind === 'operator') {
      open = undefined
    } else if (open) {
      open.end = start + text.length
    } else {
      open = { start, end: start + text.length }
      places.push(open)
    }
  }
  return places
}

/** Where in the query an error is: at its character, or in the term whose number it tells; undefined for the whole. */
export function placeOf(query: string, error: Pick<QueryError, 'message' | 'at'>): Place | undefined {
  if (error.at !== undefined) {
    return { start: error.at, end: error.at + 1 }
  }
  const number = /^term (\d+) of the query/.exec(error.message)?.[1]
  return number === undefined ? undefined : terms(query)[Number(number) - 1]
}
