import type { Row } from '@/shared/api/types'

export const PAGE = 100
const MOST_PAGES = 100

interface Entry {
  rows: Row[]
  /** How many rows the page should have had when it was last read; an answer with fewer is not asked for again at once. */
  asked: number
  loading?: AbortController
  error?: unknown
}

export type FetchPage = (from: number, count: number, signal: AbortSignal) => Promise<Row[]>

/**
 * The rows of one search that were read so far, in pages. Only pages on the screen are asked for; what scrolled away before its answer came is called off. A
 * page that was read in part, while the search was running, stays on the screen until the whole of it is there.
 */
export class RowPages {
  private readonly pages = new Map<number, Entry>()
  private readonly listeners = new Set<() => void>()
  private version = 0

  /** @param before rows of the order before this one, which stay on the screen until those of this one are there */
  constructor(
    private readonly fetchPage: FetchPage,
    private before?: RowPages,
  ) {
    if (before) {
      before.before = undefined
    }
  }

  row(index: number): Row | undefined {
    return this.own(index) ?? this.before?.own(index)
  }

  /** The row at a place in this order, if it is there. */
  own(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.rows[index % PAGE]
  }

  /** Why the row cannot be shown, if reading its page failed. */
  error(index: number): unknown {
    const entry = this.pages.get(Math.floor(index / PAGE))
    return entry && entry.rows[index % PAGE] === undefined ? entry.error : undefined
  }

  firstError(first: number, end: number): unknown {
    for (let page = Math.floor(first / PAGE); page * PAGE < end; page++) {
      const error = this.pages.get(page)?.error
      if (error !== undefined) {
        return error
      }
    }
    return undefined
  }

  /** Reads what is missing of the rows from `first` to before `end`, of `total` that there are. */
  show(first: number, end: number, total: number): void {
    const from = Math.floor(first / PAGE)
    const to = Math.floor(Math.max(first, Math.min(end, total) - 1) / PAGE)
    for (const [page, entry] of this.pages) {
      if ((page < from || page > to) && entry.loading) {
        entry.loading.abort()
      }
    }
    for (let page = from; page <= to && page * PAGE < total; page++) {
      const entry = this.pages.get(page) ?? { rows: [], asked: 0 }
      this.keep(page, entry)
      const wanted = Math.min(PAGE, total - page * PAGE)
      if (wanted > Math.max(entry.rows.length, entry.asked) && !entry.loading && entry.error === undefined) {
        void this.read(page, entry, wanted)
      }
    }
  }

  retry(): void {
    for (const entry of this.pages.values()) {
      entry.error = undefined
    }
    this.changed()
  }

  /** Asks for nothing more; what was read can still be seen. */
  close(): void {
    this.pages.forEach(entry => entry.loading?.abort())
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = (): number => this.version

  private async read(page: number, entry: Entry, wanted: number): Promise<void> {
    const controller = new AbortController()
    entry.loading = controller
    try {
      entry.rows = await this.fetchPage(page * PAGE, PAGE, controller.signal)
      entry.asked = wanted
    } catch (error) {
      if (!controller.signal.aborted) {
        entry.error = error
      }
    } finally {
      entry.loading = undefined
    }
    this.changed()
  }

  /** Newest last; the oldest go when there are too many. */
  private keep(page: number, entry: Entry): void {
    this.pages.delete(page)
    this.pages.set(page, entry)
    for (const [old, { loading }] of this.pages) {
      if (this.pages.size <= MOST_PAGES) {
        return
      }
      loading?.abort()
      this.pages.delete(old)
    }
  }

  private changed(): void {
    this.version++
    this.listeners.forEach(listener => listener())
  }
}
