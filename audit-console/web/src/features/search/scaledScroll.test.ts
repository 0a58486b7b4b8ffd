import { describe, expect, it } from 'vitest'
import * as scroll from './scaledScroll'

const million: scroll.Geometry = { rows: 1_000_000, rowHeight: 34, viewport: 510 }
const few: scroll.Geometry = { rows: 100, rowHeight: 34, viewport: 510 }
const start: scroll.Position = { dom: 0, list: 0 }

describe('a list of a million rows', () => {
  it('fits what browsers can lay out', () => {
    expect(million.rows * million.rowHeight).toBeGreaterThan(17_000_000)
    expect(scroll.canvasHeight(million)).toBeLessThan(17_000_000)
  })

  it('shows the first rows at the top and the last at the bottom', () => {
    expect(scroll.windowOf(million, scroll.toList(million, 0))).toEqual({ first: 0, end: 15, offset: 0 })
    const bottom = scroll.windowOf(million, scroll.toList(million, scroll.maxDom(million)))
    expect(bottom.end).toBe(1_000_000)
    expect(bottom.first * 34 + bottom.offset * -1).toBe(1_000_000 * 34 - 510)
  })

  it('reaches every row by keys, and each one whole', () => {
    for (const row of [0, 1, 499_999, 500_000, 999_998, 999_999]) {
      const { list } = scroll.reveal(million, { dom: 4_000_000, list: 17_000_000 }, row)
      const { first, end, offset } = scroll.windowOf(million, list)
      expect(row).toBeGreaterThanOrEqual(first)
      expect(row).toBeLessThan(end)
      const top = (row - first) * 34 + offset
      expect(top).toBeGreaterThanOrEqual(-0.001)
      expect(top + 34).toBeLessThanOrEqual(510.001)
    }
  })

  it('moves by the wheel exactly as far as the wheel', () => {
    let at: scroll.Position = { dom: 2_000_000, list: scroll.toList(million, 2_000_000) }
    const before = at.list
    for (let i = 1; i <= 50; i++) {
      at = scroll.scrolled(million, at, 2_000_000 + i * 100)
    }
    expect(at.list - before).toBeCloseTo(5000)
  })

  it('jumps by proportion when the scroll bar is dragged', () => {
    const half = scroll.maxDom(million) / 2
    expect(scroll.scrolled(million, start, half).list).toBeCloseTo(scroll.maxList(million) / 2)
  })

  it('ends exactly at its ends, however it got there', () => {
    const nearEnd: scroll.Position = { dom: scroll.maxDom(million) - 60, list: 12_000_000 }
    expect(scroll.scrolled(million, nearEnd, scroll.maxDom(million)).list).toBe(scroll.maxList(million))
    expect(scroll.scrolled(million, { dom: 60, list: 90_000 }, 0).list).toBe(0)
  })

  it('puts the scroll bar where the list is', () => {
    for (const list of [0, 1, 12_345_678, scroll.maxList(million)]) {
      expect(scroll.toList(million, scroll.toDom(million, list))).toBeCloseTo(list, 3)
    }
  })
})

describe('a short list', () => {
  it('is not scaled', () => {
    expect(scroll.canvasHeight(few)).toBe(3400)
    expect(scroll.scrolled(few, start, 1234)).toEqual({ dom: 1234, list: 1234 })
  })

  it('needs no scrolling when it fits', () => {
    const tiny = { ...few, rows: 3 }
    expect(scroll.maxList(tiny)).toBe(0)
    expect(scroll.windowOf(tiny, 99)).toEqual({ first: 0, end: 3, offset: 0 })
  })

  it('does not move for a row that is seen', () => {
    expect(scroll.reveal(few, start, 14)).toBe(start)
    expect(scroll.reveal(few, start, 15).list).toBe(34)
  })
})
