import { describe, expect, it } from 'vitest'
import { fromQuery, isSameSearch, MOST_CHARACTERS, narrowed, NEW_DRAFT, toQuery } from './draft'

describe('what is asked', () => {
  it('counts a relative time back from now', () => {
    const asked = toQuery(
      { ...NEW_DRAFT, query: ' a ', scope: 's', time: { kind: 'relative', minutes: 15 } },
      Date.UTC(2026, 10, 22, 12),
    )
    expect(asked).toEqual({
      query: 'a',
      scope: 's',
      mail: false,
      from: '2026-11-22T11:45:00.000Z',
      to: '2026-11-22T12:00:00.000Z',
    })
  })

  it('names no times for the whole epoch, and no senders when there are none', () => {
    const asked = toQuery({ ...NEW_DRAFT, query: 'a', scope: 's', time: { kind: 'epoch' } })
    expect(asked).toEqual({ query: 'a', scope: 's', mail: false })
  })

  it('comes back as it was', () => {
    const query = {
      query: 'a',
      scope: 's',
      mail: true,
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-02T00:00:00.000Z',
      senders: ['x'],
    }
    expect(toQuery(fromQuery(query))).toEqual(query)
  })
})

describe('two drafts', () => {
  const draft = { ...NEW_DRAFT, query: 'a', scope: 's' }

  it('ask for the same, whatever the reason, spaces at the ends and the order of senders', () => {
    expect(isSameSearch({ ...draft, reason: 'x', query: ' a' }, draft)).toBe(true)
    expect(isSameSearch({ ...draft, senders: ['x', 'y'] }, { ...draft, senders: ['y', 'x'] })).toBe(true)
    const time = (from: string, to: string) => ({ ...draft, time: { kind: 'absolute' as const, from, to } })
    expect(
      isSameSearch(
        time('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'),
        time('2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
      ),
    ).toBe(true)
  })

  it('differ by query, scope, time and senders', () => {
    expect(isSameSearch({ ...draft, query: 'b' }, draft)).toBe(false)
    expect(isSameSearch({ ...draft, scope: 't' }, draft)).toBe(false)
    expect(isSameSearch({ ...draft, time: { kind: 'epoch' } }, draft)).toBe(false)
    expect(isSameSearch({ ...draft, time: { kind: 'relative', minutes: 15 } }, draft)).toBe(false)
    expect(isSameSearch({ ...draft, senders: ['x'] }, draft)).toBe(false)
  })
})

describe('a term from a record', () => {
  const query = (of: string, term: string, exclude = false) => narrowed(of, term, exclude).query
  const why = (of: string, term: string, exclude = false) => narrowed(of, term, exclude).why

  it('narrows what is there, as a whole', () => {
    expect(query('', 'a:b')).toBe('a:b')
    expect(query('x', 'a:b', true)).toBe('x AND NOT a:b')
    expect(query('x OR y', 'a:b')).toBe('(x OR y) AND a:b')
    expect(query('x OR y', 'a:b', true)).toBe('(x OR y) AND NOT a:b')
    expect(query('"this OR that" y', 'a:b')).toBe('"this OR that" y AND a:b')
  })

  it('does not wrap what is one unit already, however often it narrows', () => {
    const terms = Array.from({ length: 12 }, (_, i) => `a:${i}`)
    const all = terms.reduce((of, term) => query(of, term) ?? '', 'x OR y')
    expect(all).toBe(`(x OR y) AND ${terms.join(' AND ')}`)
  })

  it('is added once, and is not taken for part of another', () => {
    expect(why('x AND a:b', 'a:b')).toMatch(/asks for it already/)
    expect(why('x AND A:B', 'a:b')).toMatch(/asks for it already/)
    expect(why('x NOT a:b', 'a:b', true)).toMatch(/leaves it out already/)
    expect(query('x AND a:bc', 'a:b')).toBe('x AND a:bc AND a:b')
    expect(query('(x OR a:b)', 'a:b')).toBe('(x OR a:b) AND a:b')
    expect(query('"say a:b now"', 'a:b')).toBe('"say a:b now" AND a:b')
  })

  it('takes the place of its opposite', () => {
    expect(query('x AND NOT a:b', 'a:b')).toBe('x AND a:b')
    expect(query('a:b AND x', 'a:b', true)).toBe('x AND NOT a:b')
    expect(query('unit:"disk pump" x', 'unit:"disk pump"', true)).toBe('x AND NOT unit:"disk pump"')
    expect(query('NOT a:b', 'a:b')).toBe('a:b')
  })

  it('is not left out of nothing, which is no query', () => {
    expect(why('', 'a:b', true)).toMatch(/write first what to search for/)
    expect(why('NOT x', 'a:b', true)).toMatch(/write first what to search for/)
    expect(why('a:b', 'a:b', true)).toMatch(/asks for nothing else/)
    expect(why('x'.repeat(MOST_CHARACTERS), 'a:b')).toMatch(/too long/)
  })
})
