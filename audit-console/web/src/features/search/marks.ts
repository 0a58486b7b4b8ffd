import type { Mark } from '@/shared/api/types'

export interface Piece {
  text: string
  marked: boolean
}

const LETTER = /[\p{L}\p{N}\p{M}]/u
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Of a longer text only the beginning is looked at: it is more than a screen shows. */
const MOST = 20_000
const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

export type Marker = (text: string) => Piece[]

/** Finds what was searched for in texts: whole words, beginnings of words, and longer values as they stand. */
export function marker(marks: readonly Mark[]): Marker {
  const words = new Set<string>()
  const beginnings: string[] = []
  const phrases: string[] = []
  for (const { text, isBeginning } of marks) {
    const folded = fold(text)
    if (/^[\p{L}\p{N}\p{M}]+$/u.test(folded)) {
      if (isBeginning) {
        beginnings.push(folded)
      } else {
        words.add(folded)
      }
    } else if (folded.trim() !== '') {
      phrases.push(folded)
    }
  }
  return text => pieces(text, found(text.slice(0, MOST), words, beginnings, phrases))
}

function found(text: string, words: Set<string>, beginnings: string[], phrases: string[]): [number, number][] {
  const spans: [number, number][] = []
  if (words.size > 0 || beginnings.length > 0) {
    for (const match of text.matchAll(WORDS)) {
      const word = fold(match[0])
      if (words.has(word) || beginnings.some(beginning => word.startsWith(beginning))) {
        spans.push([match.index, match.index + match[0].length])
      }
    }
  }
  const lower = phrases.length > 0 ? text.toLowerCase() : ''
  // A few letters change their length: then positions do not fit, and only words are marked.
  if (lower.length === text.length) {
    for (const phrase of phrases) {
      for (let at = lower.indexOf(phrase); at >= 0; at = lower.indexOf(phrase, at + phrase.length)) {
        const end = at + phrase.length
        if (!joins(lower, at) && !joins(lower, end)) {
          spans.push([at, end])
        }
      }
    }
  }
  return spans.sort(([a], [b]) => a - b)
}

/** Whether a word goes on over a position. */
const joins = (text: string, at: number): boolean =>
  at > 0 && at < text.length && LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at))

function pieces(text: string, spans: [number, number][]): Piece[] {
  const result: Piece[] = []
  let at = 0
  for (const [begin, end] of spans) {
    const from = Math.max(begin, at)
    if (end > from) {
      if (from > at) {
        result.push({ text: text.slice(at, from), marked: false })
      }
      result.push({ text: text.slice(from, end), marked: true })
      at = end
    }
  }
  if (at < text.length || result.length === 0) {
    result.push({ text: text.slice(at), marked: false })
  }
  return result
}
