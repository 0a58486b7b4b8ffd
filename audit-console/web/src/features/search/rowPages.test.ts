import { describe, expect, it, vi } from 'vitest'
import type { Row } from '@/shared/api/types'
import { PAGE, RowPages } from './rowPages'

const row = (n: number): Row => ({
  row: n,
  kind: 'record',
  envelope: 'e',
  sender: 's',
  proven: true,
  text: `line ${n}`,
})

/** A server whose answers come when the test says so. */
function server() {
  const calls: { from: number; signal: AbortSignal; answer: (rows: Row[]) => void; fail: (error: unknown) => void }[] =
    []
  const fetchPage = (from: number, _count: number, signal: AbortSignal) =>
    new Promise<Row[]>((answer, fail) => {
      calls.push({ from, signal, answer, fail })
      signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))
    })
  return { calls, pages: new RowPages(fetchPage) }
}

const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => row(from + i))
const settled = () => new Promise(resolve => setTimeout(resolve))

describe('the rows of a search', () => {
  it('reads only the pages on the screen, of a million rows', () => {
    const { calls, pages } = server()
    pages.show(499_990, 500_010, 1_000_000)
    expect(calls.map(call => call.from)).toEqual([499_900, 500_000])
  })

  it('calls off what scrolled away before its answer came', async () => {
    const { calls, pages } = server()
    pages.show(0, 20, 1_000_000)
    pages.show(900_000, 900_020, 1_000_000)
    expect(calls[0]?.signal.aborted).toBe(true)
    await settled()
    expect(pages.error(0)).toBeUndefined()
    pages.show(0, 20, 1_000_000)
    expect(calls.at(-1)?.from).toBe(0)
  })

  it('keeps a page that is half there on the screen until the whole of it came', async () => {
    const { calls, pages } = server()
    pages.show(0, 20, 30)
    calls[0]?.answer(rows(0, 30))
    await settled()
    pages.show(0, 20, 80)
    expect(calls).toHaveLength(2)
    expect(pages.row(29)?.text).toBe('line 29')
    calls[1]?.answer(rows(0, 80))
    await settled()
    expect(pages.row(79)?.text).toBe('line 79')
  })

  it('does not ask without end when an answer has fewer rows than were said', async () => {
    const { calls, pages } = server()
    pages.show(0, 20, 50)
    calls[0]?.answer(rows(0, 40))
    await settled()
    pages.show(0, 20, 50)
    expect(calls).toHaveLength(1)
  })

  it('tells rows that could not be read from rows that are not there', async () => {
    const { calls, pages } = server()
    const changed = vi.fn()
    pages.subscribe(changed)
    pages.show(0, 20, 50)
    calls[0]?.fail(new Error('away'))
    await settled()
    expect(changed).toHaveBeenCalled()
    expect(pages.error(3)).toEqual(new Error('away'))
    expect(pages.firstError(0, 20)).toEqual(new Error('away'))
    pages.show(0, 20, 50)
    expect(calls).toHaveLength(1)
    pages.retry()
    pages.show(0, 20, 50)
    expect(calls).toHaveLength(2)
  })

  it('forgets the oldest pages', async () => {
    const { calls, pages } = server()
    for (let page = 0; page < 130; page++) {
      pages.show(page * PAGE, page * PAGE + 10, 1_000_000)
      calls.at(-1)?.answer(rows(page * PAGE, PAGE))
      await settled()
    }
    expect(pages.row(0)).toBeUndefined()
    expect(pages.row(129 * PAGE)).toBeDefined()
  })
})
