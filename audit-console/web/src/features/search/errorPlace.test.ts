import { describe, expect, it } from 'vitest'
import { placeOf } from './errorPlace'

const marked = (query: string, message: string, at?: number) => {
  const place = placeOf(query, { message, at })
  return place && query.slice(place.start, place.end)
}

describe('the place of an error', () => {
  it('is its character, where it has one', () => {
    expect(marked('a AND (b', 'has a (', 6)).toBe('(')
  })

  it('is the term whose number is told', () => {
    const query = 'level:error AND (unit:"a b" OR temperature:90..70) NOT press-4'
    expect(marked(query, 'term 2 of the query is long')).toBe('unit:"a b"')
    expect(marked(query, 'term 3 of the query needs a range')).toBe('temperature:90..70')
    expect(marked(query, 'term 4 of the query has no word')).toBe('press-4')
  })

  it('is nowhere for what is wrong with the whole', () => {
    expect(marked('NOT a', 'the query needs something beside NOT')).toBeUndefined()
    expect(marked('a', 'term 7 of the query')).toBeUndefined()
  })
})
