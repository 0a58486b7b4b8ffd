import { createElement } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { sessionState } from '../src/shared/auth/sessionState'
import { Channel } from './channel'

configure({ asyncUtilTimeout: 30_000 })

// It draws on a canvas, which jsdom has not; the pictures show it.
vi.mock('../src/features/search/HistogramChart', () => ({
  default: () => createElement('div', { 'data-testid': 'chart' }),
}))

// What jsdom lacks and the component library asks for.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => false,
  }) as MediaQueryList
// Everything is as large as a small window: lists show the rows that fit into it.
window.ResizeObserver = class {
  constructor(private readonly callback: ResizeObserverCallback) {}
  observe(target: Element) {
    const contentRect = {
      x: 0,
      y: 0,
      top: 0,
      left: 0,
      right: 1000,
      bottom: 542,
      width: 1000,
      height: 542,
    } as DOMRectReadOnly
    const size = [{ inlineSize: 1000, blockSize: 542 }]
    this.callback(
      [{ target, contentRect, borderBoxSize: size, contentBoxSize: size, devicePixelContentBoxSize: size }],
      this,
    )
  }
  unobserve() {}
  disconnect() {}
}
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
Element.prototype.scrollIntoView ??= () => undefined

beforeEach(() => {
  Channel.install()
  sessionState.begin('the-token')
  // It listens to the browser only while a page is shown, so it may have missed what a test said last.
  onlineManager.setOnline(true)
})

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  sessionState.forget()
  window.sessionStorage.clear()
})
