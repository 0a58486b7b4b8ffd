/**
 * Scrolling through more rows than a browser can lay out. Browsers end elements at 17 to 33 million pixels; a million rows of 34 pixels are 34 million. So the scrolled
 * element (the canvas) ends at {@link MAX_CANVAS}, and positions on it are mapped to positions in the list. Small steps, of the wheel and the keys, move the list by
 * exactly as many pixels; large ones, of the scroll bar, are mapped by proportion.
 */
export const MAX_CANVAS = 8_000_000

export interface Geometry {
  rows: number
  rowHeight: number
  viewport: number
}

/** Where the scrolled element stands, and where the list does. */
export interface Position {
  dom: number
  list: number
}

export interface Window {
  first: number
  /** Exclusive. */
  end: number
  /** Of the first row's top from the viewport's, zero or less. */
  offset: number
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max)

export const canvasHeight = (g: Geometry): number => Math.min(g.rows * g.rowHeight, MAX_CANVAS)

export const maxDom = (g: Geometry): number => Math.max(0, canvasHeight(g) - g.viewport)

export const maxList = (g: Geometry): number => Math.max(0, g.rows * g.rowHeight - g.viewport)

export function toList(g: Geometry, dom: number): number {
  const max = maxDom(g)
  return max === 0 ? 0 : (clamp(dom, max) / max) * maxList(g)
}

export function toDom(g: Geometry, list: number): number {
  const max = maxList(g)
  return max === 0 ? 0 : (clamp(list, max) / max) * maxDom(g)
}

/** The element was scrolled to `dom`. */
export function scrolled(g: Geometry, from: Position, dom: number): Position {
  if (maxDom(g) === maxList(g) || dom <= 0 || dom >= maxDom(g)) {
    return { dom, list: toList(g, dom) }
  }
  const delta = dom - from.dom
  if (Math.abs(delta) > 2 * g.viewport) {
    return { dom, list: toList(g, dom) }
  }
  return { dom, list: clamp(from.list + delta, maxList(g)) }
}

/** Moves the list so that a row is seen whole, no further than needed. */
export function reveal(g: Geometry, at: Position, row: number): Position {
  const top = row * g.rowHeight
  const bottom = top + g.rowHeight
  let list = at.list
  if (top < list) {
    list = top
  } else if (bottom > list + g.viewport) {
    list = bottom - g.viewport
  } else {
    return at
  }
  list = clamp(list, maxList(g))
  return { dom: toDom(g, list), list }
}

export function windowOf(g: Geometry, list: number): Window {
  const top = clamp(list, maxList(g))
  const first = Math.floor(top / g.rowHeight)
  const end = Math.min(g.rows, Math.ceil((top + g.viewport) / g.rowHeight))
  return { first, end, offset: first * g.rowHeight - top }
}
