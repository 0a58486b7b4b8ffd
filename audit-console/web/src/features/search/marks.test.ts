import { describe, expect, it } from 'vitest'
import { marker } from './marks'

const shown = (text: string, ...marks: [string, boolean?][]) =>
  marker(marks.map(([mark, isBeginning = false]) => ({ text: mark, isBeginning })))(text)
    .map(piece => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('')

describe('what was searched for is marked', () => {
  it('as whole words in any case', () => {
    expect(shown('Failed: 3 failed, failedness', ['failed'])).toBe('[Failed]: 3 [failed], failedness')
    expect(shown('ÜBER Über', ['über'])).toBe('[ÜBER] [Über]')
  })
  it('as beginnings of words', () => {
    expect(shown('overheated, heat over', ['over', true])).toBe('[overheated], heat [over]')
  })
  it('as values with signs in them', () => {
    expect(shown('from 10.0.0.7 to 110.0.0.71', ['10.0.0.7'])).toBe('from [10.0.0.7] to 110.0.0.71')
    expect(shown('/var/log/syslog', ['/var/log'], ['log'])).toBe('[/var/log]/syslog')
  })
  it('and nothing is lost, whatever stands beside', () => {
    const hostile = 'İ<b>x</b>\u202e' + 'y'.repeat(50_000)
    expect(
      marker([{ text: 'x', isBeginning: false }])(hostile)
        .map(piece => piece.text)
        .join(''),
    ).toBe(hostile)
    expect(shown('')).toBe('')
    expect(shown('abc', [' '])).toBe('abc')
  })
})
