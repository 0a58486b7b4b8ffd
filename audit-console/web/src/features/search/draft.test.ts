import { describe, expect, it } from 'vitest'
import { fromQuery, NEW_DRAFT, term, toQuery, withTerm } from './draft'

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

describe('terms from a record', () => {
  it('are quoted where they would be cut, and escaped', () => {
    expect(term('unit', 'sshd')).toBe('unit:sshd')
    expect(term('unit', 'disk pump')).toBe('unit:"disk pump"')
    expect(term('message', 'say "hi" \\ (now)')).toBe('message:"say \\"hi\\" \\\\ (now)"')
    expect(term('number', '42')).toBe('42')
    expect(term('word', 'NOT')).toBe('"NOT"')
    expect(term('word', 'over*')).toBe('"over*"')
  })

  it('narrow what is there, as a whole', () => {
    expect(withTerm('', 'a:b', false)).toBe('a:b')
    expect(withTerm('x', 'a:b', true)).toBe('x AND NOT a:b')
    expect(withTerm('x OR y', 'a:b', false)).toBe('(x OR y) AND a:b')
  })

  it('are added once', () => {
    expect(withTerm('x AND a:b', 'a:b', false)).toBe('x AND a:b')
    expect(withTerm('(x OR a:b)', 'a:b', false)).toBe('(x OR a:b)')
    expect(withTerm('x AND a:bc', 'a:b', false)).toBe('x AND a:bc AND a:b')
  })
})
