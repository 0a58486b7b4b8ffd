import { useCallback, useEffect, useRef, useState } from 'react'
import { placeOf, type Order } from './useOrder'
import type { RowPages } from './rowPages'

export interface Selection {
  /** The place of the row that keys move from. */
  active: number
  /** Whether its record is open beside the list. */
  open: boolean
  /** The number of the row at that place, as soon as it is known. */
  row: number | undefined
}

/**
 * Which row is active, and whether it is open. It stays the same row when the order changes, wherever it stands then;
 * the first place stays the first place as long as nothing was chosen.
 */
export function useSelection(search: string, order: Order, pages: RowPages) {
  const [selection, setSelection] = useState<Selection>({ active: 0, open: false, row: undefined })
  const latest = useRef(selection)
  const shown = useRef(order)
  const { sort, upTo } = order
  const row = selection.row ?? pages.own(selection.active)?.row
  useEffect(() => {
    latest.current = { ...selection, row }
  })
  // Kept, for the pages of another order do not have it at this place.
  useEffect(() => {
    setSelection(old => (old.row === undefined && row !== undefined ? { ...old, row } : old))
  }, [row])

  const choose = useCallback((active: number, open?: boolean) => {
    setSelection(old => ({ active, open: open ?? old.open, row: undefined }))
  }, [])

  /** Opens a row by its number. */
  const openRow = useCallback(
    async (number: number, within: Order) => {
      const place = await placeOf(search, number, within)
      if (place !== undefined) {
        setSelection({ active: place, open: true, row: number })
      }
    },
    [search],
  )

  useEffect(() => {
    const before = shown.current
    const now = { sort, upTo, waiting: 0, update: () => undefined }
    shown.current = now
    const { row: number, active, open } = latest.current
    if ((before.sort === sort && (sort === '' || before.upTo === upTo)) || number === undefined) {
      return
    }
    if (active === 0 && !open) {
      setSelection({ active: 0, open: false, row: undefined })
      return
    }
    let over = false
    void placeOf(search, number, now).then(place => {
      if (!over && place !== undefined) {
        setSelection(old => (old.active === active ? { ...old, active: place, row: number } : old))
      }
    })
    return () => {
      over = true
    }
  }, [search, sort, upTo])

  return { selection: { ...selection, row }, choose, openRow }
}
