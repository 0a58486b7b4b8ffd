import { useCallback, useEffect, useRef, useState } from 'react'
import { api, take } from '@/shared/api/client'
import type { Search } from '@/shared/api/types'
import { isLive } from './useSearch'

/** Rows that arrive are put in at most as often, in milliseconds. */
const PACE = 1000

export interface Order {
  /** What the server sorts by; empty for the order of discovery. */
  sort: string
  /** How many rows are in it. */
  upTo: number
  /** How many have arrived since and are not in it. */
  waiting: number
  /** Puts in what has arrived. */
  update: () => void
}

/**
 * The order of the rows, of as many as there were at a moment: so nothing moves under the eyes while others arrive. As
 * long as nobody has moved away from its top, they are put in by themselves.
 *
 * @param still whether the list must not move by itself
 */
export function useOrder(search: Search, sort: string, still: boolean): Order {
  const { rows } = search
  const live = isLive(search)
  const [upTo, setUpTo] = useState(rows)
  const changed = useRef(0)
  useEffect(() => {
    if (sort === '' || rows === upTo || (still && upTo > 0)) {
      return
    }
    const wait = live && upTo > 0 ? Math.max(0, changed.current + PACE - Date.now()) : 0
    const timer = window.setTimeout(() => {
      changed.current = Date.now()
      setUpTo(rows)
    }, wait)
    return () => window.clearTimeout(timer)
  }, [sort, rows, upTo, still, live])
  const update = useCallback(() => setUpTo(rows), [rows])
  const shown = sort === '' ? rows : Math.min(upTo, rows)
  return { sort, upTo: shown, waiting: rows - shown, update }
}

/** Where a row stands in an order; undefined if it is not in it. */
export async function placeOf(search: string, row: number, { sort, upTo }: Order): Promise<number | undefined> {
  if (sort === '') {
    return row
  }
  try {
    const query = { sort, upTo }
    const params = { path: { id: search, row }, query }
    return (await take(api.GET('/api/searches/{id}/rows/{row}/place', { params }))).place
  } catch {
    return undefined
  }
}
