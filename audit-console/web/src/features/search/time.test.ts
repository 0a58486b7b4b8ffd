import { afterEach, describe, expect, it, vi } from 'vitest'
import { describe as inWords, PRESETS, problemOf, resolve, toLocalInput } from './time'

const NOW = Date.parse('2026-11-22T10:00:30.500Z')
const zone = process.env.TZ

/** Zones that differ from UTC by hours, by half hours, and by what is not the same all year. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin', 'Pacific/Kiritimati']

afterEach(() => {
  vi.stubEnv('TZ', zone)
})

describe('a time', () => {
  it('that is relative ends now and is as long as it says', () => {
    for (const { minutes } of PRESETS) {
      const { from, to } = resolve({ kind: 'relative', minutes }, NOW)
      expect(to).toBe('2026-11-22T10:00:30.500Z')
      expect(NOW - Date.parse(from ?? '')).toBe(minutes * 60_000)
    }
    expect(resolve({ kind: 'relative', minutes: 24 * 60 }, NOW).from).toBe('2026-11-21T10:00:30.500Z')
  })

  it('that is absolute is what was chosen, and the whole epoch names none', () => {
    const chosen = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
    expect(resolve({ kind: 'absolute', ...chosen }, NOW)).toEqual(chosen)
    expect(resolve({ kind: 'epoch' }, NOW)).toEqual({})
  })

  it('is said in words, also one that no button has', () => {
    expect(inWords({ kind: 'relative', minutes: 60 })).toBe('Last hour')
    expect(inWords({ kind: 'relative', minutes: 90 * 24 * 60 })).toBe('Last 90 days')
    expect(inWords({ kind: 'relative', minutes: 17 })).toBe('Last 17 minutes')
    expect(inWords({ kind: 'epoch' })).toBe('All of this epoch')
  })

  it.each(ZONES)('comes back from the fields of a browser in %s', name => {
    vi.stubEnv('TZ', name)
    // Summer, winter, and both sides of the changes of 2026 in Berlin; not the hour that is there twice.
    for (const at of [
      '2026-07-01T12:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2026-03-29T00:59:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-10-24T23:59:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]) {
      for (const end of ['from', 'to'] as const) {
        expect(new Date(toLocalInput(at, end)).toISOString()).toBe(at)
      }
    }
    expect(inWords({ kind: 'absolute', from: '2026-07-01T12:00:00Z', to: '2026-07-01T13:00:00Z' })).toContain(
      toLocalInput('2026-07-01T12:00:00Z', 'from').replace('T', ' '),
    )
  })

  it('is in the zone of the browser', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata')
    expect(toLocalInput('2026-11-22T20:00:00Z', 'from')).toBe('2026-11-23T01:30')
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(toLocalInput('2026-03-29T01:00:00Z', 'from')).toBe('2026-03-29T03:00')
  })

  it('loses nothing by the fields, which have whole minutes', () => {
    vi.stubEnv('TZ', 'UTC')
    expect(toLocalInput('2026-11-22T10:00:30.500Z', 'from')).toBe('2026-11-22T10:00')
    expect(toLocalInput('2026-11-22T10:00:30.500Z', 'to')).toBe('2026-11-22T10:01')
    expect(toLocalInput('2026-11-22T10:00:00.000Z', 'to')).toBe('2026-11-22T10:00')
  })

  it('has two ends, the first before the second', () => {
    expect(problemOf('', '2026-11-22T10:00')).toBe('Give both times')
    expect(problemOf('2026-11-22T10:00', '')).toBe('Give both times')
    expect(problemOf('2026-11-22T10:00', '2026-11-22T10:00')).toMatch(/before/)
    expect(problemOf('2026-11-22T10:01', '2026-11-22T10:00')).toMatch(/before/)
    expect(problemOf('2026-11-22T10:00', '2026-11-22T10:01')).toBeUndefined()
  })
})
