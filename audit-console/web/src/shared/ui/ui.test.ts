import { describe, expect, it } from 'vitest'
import { bytes, duration, plural, relative, stamp } from './format'
import { visible } from './visible'

describe('hostile text', () => {
  it('shows what would turn it round, hide in it, or move the cursor', () => {
    expect(visible('user \u202Eresu\u202C ok')).toBe('user ‹U+202E›resu‹U+202C› ok')
    expect(visible('\u001b[2Kgone\rback\u0000')).toBe('␛[2Kgone␍back␀')
    expect(visible('a\u200bb\ufeffc\u0085')).toBe('a‹U+200B›b‹U+FEFF›c‹U+0085›')
  })

  it.each([
    ['a soft hyphen', 'ad\u00admin'],
    ['a joiner between letters', 'ad\u200dmin'],
    ['a non-joiner between letters', 'ad\u200cmin'],
    ['a grapheme joiner', 'ad\u034fmin'],
    ['a filler of Hangul', 'ad\u3164min'],
    ['a filler of half width', 'ad\uffa0min'],
    ['a blank of Braille', 'ad\u2800min'],
    ['a separator of lines', 'ad\u2028min'],
    ['an invisible operator', 'ad\u2063min'],
    ['a selector of forms', 'ad\ufe00min'],
    ['a supplementary selector', 'ad\u{e0101}min'],
    ['a tag', 'ad\u{e0061}min'],
    ['an Arabic mark of direction', 'ad\u061cmin'],
    ['an annotation', 'ad\ufff9min'],
    ['half a character', 'ad\ud800min'],
    ['an embedding', 'ad\u202amin'],
    ['an isolate', 'ad\u2067min'],
  ])('shows %s', (_, text) => {
    expect(visible(text)).toMatch(/^ad‹U\+[0-9A-F]{4,5}›min$/)
  })

  it('leaves all writing as it is', () => {
    const text = 'Grüße, 日本語, 葛󠄀, العربية, می‌خواهم, क्‍ष, emoji 👩‍🚒 👨🏽‍🚒 ❤️ 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿\n\tand a line'
    expect(visible(text)).toBe(text)
    expect(visible('two\r\nlines')).toBe('two\nlines')
  })
})

describe('figures', () => {
  it('are written with their units', () => {
    expect(bytes(999)).toBe('999 B')
    expect(bytes(18_244)).toBe('18.2 kB')
    expect(bytes(48_231_000_112)).toBe('48.2 GB')
    expect(duration(14)).toBe('14 ms')
    expect(duration(61_000)).toBe('1 min 01 s')
    expect(duration(3_700_000)).toBe('1 h 01 min')
    expect(duration(200_000_000)).toBe('2 days')
    expect(plural(1, 'entry', 'entries')).toBe('1 entry')
    expect(plural(1200, 'entry', 'entries')).toBe('1,200 entries')
  })

  it('of times say which way they lie', () => {
    const now = Date.parse('2026-11-22T12:00:00Z')
    expect(relative('2026-11-22T11:55:00Z', now)).toBe('5 min ago')
    expect(relative('2026-11-25T12:00:00Z', now)).toBe('in 3 days')
    expect(relative(undefined, now)).toBe('never')
    expect(stamp('no time')).toBe('no time')
  })
})
