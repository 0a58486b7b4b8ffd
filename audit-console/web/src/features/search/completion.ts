import type { Field } from '@/shared/api/types'

const LEVELS = ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'critical', 'alert', 'emergency', 'fatal']

export interface Suggestion {
  /** Put in place of what is between start and end. */
  insert: string
  label: string
  hint: string
  start: number
  end: number
}

interface Word {
  text: string
  start: number
}

/** The word that the caret stands behind; none within quotes or in the middle of a word. */
export function wordAt(query: string, caret: number): Word | undefined {
  const before = query.slice(0, caret)
  if ((before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1 || /[^\s()]/.test(query.charAt(caret))) {
    return undefined
  }
  const text = /[^\s()"]*$/.exec(before)?.[0] ?? ''
  return { text, start: caret - text.length }
}

/** Names of fields that begin or contain what is being typed; for levels, their values. */
export function suggest(query: string, caret: number, fields: readonly Field[], mail: boolean): Suggestion[] {
  const word = wordAt(query, caret)
  if (!word || word.text === '') {
    return []
  }
  const place = { start: word.start, end: caret }
  const colon = word.text.indexOf(':')
  if (colon >= 0) {
    return word.text.slice(0, colon) === 'level' ? levels(word, colon, caret) : []
  }
  const typed = word.text.toLowerCase()
  return fields
    .filter(field => mail || field.kind !== 'mail')
    .filter(field => field.name.toLowerCase().includes(typed))
    .sort((a, b) => rank(a, typed) - rank(b, typed) || a.name.localeCompare(b.name))
    .slice(0, 8)
    .map(field => ({
      insert: `${field.name}:`,
      label: `${field.name}:`,
      hint: `${field.description} · ${field.example}`,
      ...place,
    }))
}

const rank = (field: Field, typed: string): number => (field.name.toLowerCase().startsWith(typed) ? 0 : 1)

function levels(word: Word, colon: number, caret: number): Suggestion[] {
  const typed = word.text.slice(colon + 1).toLowerCase()
  const start = word.start + colon + 1
  return LEVELS.filter(level => level.startsWith(typed) && level !== typed).map(level => ({
    insert: `${level} `,
    label: level,
    hint: '',
    start,
    end: caret,
  }))
}

export function apply(query: string, suggestion: Suggestion): { query: string; caret: number } {
  const head = query.slice(0, suggestion.start) + suggestion.insert
  return { query: head + query.slice(suggestion.end), caret: head.length }
}
