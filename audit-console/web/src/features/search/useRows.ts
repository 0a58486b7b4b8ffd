import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { api, take } from '@/shared/api/client'
import { RowPages } from './rowPages'

/** Rows read while the view moves fast would be thrown away unread. */
const SETTLE = 70

/** Which rows are wanted, and in which order. */
export interface Wanted {
  search: string
  /** Empty for the order of discovery. */
  sort: string
  /** How many rows are sorted. */
  upTo: number
  /** Numbers of the fields whose values are shown. */
  fields: readonly number[]
}

/** Pages of rows in an order. Those of the order before stay on the screen until the new ones are there. */
export function useRowPages({ search, sort, upTo, fields }: Wanted): RowPages {
  const numbers = fields.join(',')
  const last = useRef<{ search: string; pages: RowPages }>(undefined)
  // As they were found, rows keep their places when others arrive.
  const until = sort === '' ? 0 : upTo
  const pages = useMemo(
    () =>
      new RowPages(
        async (from, count, signal) => {
          const query = {
            from,
            count,
            ...(sort !== '' && { sort, upTo: until }),
            ...(numbers !== '' && { fields: numbers.split(',').map(Number) }),
          }
          const call = api.GET('/api/searches/{id}/rows', { params: { path: { id: search }, query }, signal })
          return (await take(call)).rows
        },
        // eslint-disable-next-line react-hooks/refs -- what is shown meanwhile, not what is shown
        last.current?.search === search ? last.current.pages : undefined,
      ),
    [search, sort, until, numbers],
  )
  useEffect(() => {
    last.current = { search, pages }
    return () => pages.close()
  }, [search, pages])
  return pages
}

/** Reads the rows from `first` to before `end`, of `total`. */
export function useRows(pages: RowPages, total: number, first: number, end: number): void {
  const version = useSyncExternalStore(pages.subscribe, pages.snapshot)
  const [at] = useDebouncedValue(first, SETTLE, { leading: true })
  useEffect(() => {
    if (total > 0 && Math.abs(at - first) < 2000) {
      pages.show(at, Math.max(end - first + at, at + 1), total)
    }
  }, [pages, at, first, end, total, version])
}
