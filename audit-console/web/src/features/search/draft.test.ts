import { describe, expect, it } from 'vitest'
import { fromQuery, isSameSearch, NEW_DRAFT, term, toQuery, withTerm } from './draft'

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

describe('terms from a record', () => {
  it('are quoted where they would be cut, and escaped', () => {
    expect(term('unit', 'sshd')).toBe('unit:sshd')
    expect(term('unit', 'disk pump')).toBe('unit:"disk pump"')
    expect(term('message', 'say "hi" \\ (now)')).toBe('message:"say \\"hi\\" \\\\ (now)"')
    expect(term('number', '42')).toBe('42')
    expect(term('word', 'NOT')).toBe('"NOT"')
    expect(term('word', 'over*')).toBe('"over*"')
    expect(term('path', '/var/log/syslog')).toBe('path:/var/log/syslog')
    expect(term('ip', '10.0.0.7')).toBe('ip:10.0.0.7')
    expect(term('ip', 'fe80::1')).toBe('ip:fe80::1')
    expect(term('ip-prefix', '10.0.0.0/8')).toBe('ip-prefix:"10.0.0.0/8"')
  })

  it('are quoted where another language has an operator', () => {
    for (const value of ['-root', '!x', 'or', 'Not', 'a=b', 'a..b', '/re/', 'x~', 'x?', '10.0.0.*', '>=5', 'a|b']) {
      expect(term('user', value)).toBe(`user:"${value}"`)
      expect(term('word', value)).toBe(`"${value}"`)
    }
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
