import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { api, take } from '@/shared/api/client'
import { RowPages } from './rowPages'

/** Rows read while the view moves fast would be thrown away unread. */
const SETTLE = 70

export function useRows(id: string, total: number, first: number, end: number): RowPages {
  const pages = useMemo(
    () =>
      new RowPages(async (from, count, signal) => {
        const call = api.GET('/api/searches/{id}/rows', { params: { path: { id }, query: { from, count } }, signal })
        return (await take(call)).rows
      }),
    [id],
  )
  useEffect(() => () => pages.close(), [pages])
  const version = useSyncExternalStore(pages.subscribe, pages.snapshot)
  const [at] = useDebouncedValue(first, SETTLE, { leading: true })
  useEffect(() => {
    if (total > 0 && Math.abs(at - first) < 2000) {
      pages.show(at, Math.max(end - first + at, at + 1), total)
    }
  }, [pages, at, first, end, total, version])
  return pages
}
