import { vi } from 'vitest'
import type { Search } from '@/shared/api/types'

/** Events that come when the test says so. */
export class Events extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static all: Events[] = []
  readyState = 0
  onopen?: () => void
  onerror?: () => void

  constructor(readonly url: string) {
    super()
    Events.all.push(this)
  }

  static install(): void {
    Events.all = []
    vi.stubGlobal('EventSource', Events)
  }

  static last(): Events {
    const last = Events.all.at(-1)
    if (!last) {
      throw new Error('Nobody listens')
    }
    return last
  }

  close(): void {
    this.readyState = Events.CLOSED
  }

  open(): void {
    this.readyState = Events.OPEN
    this.onopen?.()
  }

  state(search: Search): void {
    this.dispatchEvent(new MessageEvent('state', { data: JSON.stringify(search) }))
  }

  /** Broken; `closed` where the browser gives up, as after an answer that is no stream. */
  fail({ closed }: { closed: boolean }): void {
    this.readyState = closed ? Events.CLOSED : Events.CONNECTING
    this.onerror?.()
  }
}
