import { describe, expect, it } from 'vitest'
import { barsOf, spanOf } from './bars'

const START = Date.parse('2026-11-22T10:00:00.001Z')
const at = (ms: number) => new Date(START + ms).toISOString()

/** Bars of 7 ms, the last of 3. */
const histogram = { from: at(0), to: at(17), widthMillis: 7, counts: [4, 0, 2] }

describe('bars', () => {
  it('have their beginning and not their end, and the last ends with the chart', () => {
    expect(barsOf(histogram).map(({ from, to, count }) => [from - START, to - START, count])).toEqual([
      [0, 7, 4],
      [7, 14, 0],
      [14, 17, 2],
    ])
  })

  it('that are touched are chosen whole, and no others', () => {
    expect(spanOf(histogram, START + 0.4, START + 6.9)).toEqual({ from: at(0), to: at(7) })
    expect(spanOf(histogram, START + 7, START + 14)).toEqual({ from: at(7), to: at(14) })
    expect(spanOf(histogram, START + 6.9, START + 14.1)).toEqual({ from: at(0), to: at(17) })
    expect(spanOf(histogram, START + 15, START + 999)).toEqual({ from: at(14), to: at(17) })
    expect(spanOf(histogram, START - 999, START + 999)).toEqual({ from: histogram.from, to: histogram.to })
  })

  it('that are not touched choose nothing', () => {
    expect(spanOf(histogram, START - 9, START - 1)).toBeUndefined()
    expect(spanOf(histogram, START + 17, START + 20)).toBeUndefined()
    expect(spanOf(histogram, START + 9, START + 2)).toBeUndefined()
    expect(spanOf({ ...histogram, counts: [] }, START, START + 5)).toBeUndefined()
  })

  it('of one moment are one', () => {
    const moment = { from: at(0), to: at(1), widthMillis: 1, counts: [3] }
    expect(spanOf(moment, START + 0.2, START + 0.3)).toEqual({ from: at(0), to: at(1) })
  })
})
