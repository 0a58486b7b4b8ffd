import { afterEach, beforeEach } from 'vitest'
import { cleanup, configure } from '@testing-library/react'
import { sessionState } from '../src/shared/auth/sessionState'

configure({ asyncUtilTimeout: 4000 })

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
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.scrollIntoView ??= () => undefined

beforeEach(() => {
  sessionState.begin('the-token')
})

afterEach(() => {
  cleanup()
  sessionState.forget()
  window.sessionStorage.clear()
})
