import { useCallback, useMemo, useState } from 'react'
import type { Search } from '@/shared/api/types'
import { requestName, requestSort } from './columns'
import { marker } from './marks'
import { useOrder } from './useOrder'
import { useRowPages } from './useRows'
import { useSelection } from './useSelection'
import { useTable, useView } from './useTable'

/** The rows of a search as the user looks at them: in which order, with which columns, and which of them is chosen. */
export function useResultRows(search: Search) {
  const table = useTable(search)
  const [view, change] = useView(search)
  const [top, onTop] = useState(true)
  const [chosen, setChosen] = useState(false)
  const sort = requestSort(view.sort, table) ?? ''
  const order = useOrder(search, sort, !top || chosen)
  const fields = useMemo(
    () =>
      view.columns.flatMap(({ id }) => {
        const name = id.startsWith('field:') ? requestName(id, table) : undefined
        return name === undefined ? [] : [Number(name.slice('field-'.length))]
      }),
    [view.columns, table],
  )
  const pages = useRowPages({ search: search.id, sort: order.sort, upTo: order.upTo, fields })
  const { selection, choose: select, openRow } = useSelection(search.id, order, pages)
  const choose = useCallback(
    (place: number, open?: boolean) => {
      setChosen(old => open ?? (old || place > 0))
      select(place, open)
    },
    [select],
  )
  const found = useMemo(() => marker(table?.marks ?? []), [table?.marks])
  return { table, view, change, order, pages, selection, choose, openRow, onTop, marker: found }
}
