import { describe, expect, it } from 'vitest'
import type { Field } from '@/shared/api/types'
import { apply, suggest } from './completion'

const field = (name: string, kind: Field['kind'] = 'word'): Field => ({
  name,
  kind,
  description: `of ${name}`,
  example: `${name}:x`,
})
const FIELDS = [field('level'), field('unit'), field('source', 'path'), field('subject', 'mail'), field('resource')]
const labels = (query: string, mail = false, caret = query.length) =>
  suggest(query, caret, FIELDS, mail).map(({ label }) => label)

describe('completion of field names', () => {
  it('gives names that begin as typed before those that contain it', () => {
    expect(labels('so')).toEqual(['source:', 'resource:'])
  })

  it('is asked for the word at the caret, within an expression', () => {
    expect(labels('level:error AND (un')).toEqual(['unit:'])
    expect(labels('un AND level:error', false, 2)).toEqual(['unit:'])
  })

  it('keeps silent in quotes, in the middle of a word, and for nothing', () => {
    expect(labels('"disk un')).toEqual([])
    expect(labels('unit', false, 2)).toEqual([])
    expect(labels('level:error ')).toEqual([])
  })

  it('offers fields of mails for mails only', () => {
    expect(labels('sub')).toEqual([])
    expect(labels('sub', true)).toEqual(['subject:'])
  })

  it('knows the values of levels, and of nothing else', () => {
    expect(labels('level:er')).toEqual(['error'])
    expect(labels('level:error')).toEqual([])
    expect(labels('unit:er')).toEqual([])
  })

  it('replaces what was typed and puts the caret behind it', () => {
    const [chosen] = suggest('a AND un AND b', 8, FIELDS, false)
    expect(chosen && apply('a AND un AND b', chosen)).toEqual({ query: 'a AND unit: AND b', caret: 11 })
  })
})
