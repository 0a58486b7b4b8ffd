import { useCallback, useMemo } from 'react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { Search, Table, TableView } from '@/shared/api/types'
import { useNotify } from '@/shared/ui/notice'
import { defaultView, type View } from './columns'
import { isLive } from './useSearch'

const VIEWS = ['table-views']

/** Fields that can be columns, and what is marked. Read again while hits arrive, since these bring fields. */
export function useTable(search: Search): Table | undefined {
  const live = isLive(search)
  const { data } = useQuery({
    queryKey: ['table', search.id, live ? 'live' : search.rows],
    queryFn: ({ signal }) => take(api.GET('/api/searches/{id}/table', { params: { path: { id: search.id } }, signal })),
    refetchInterval: live ? 2000 : false,
    placeholderData: keepPreviousData,
    staleTime: live ? 0 : Infinity,
    enabled: search.rows > 0,
  })
  return data
}

/** The user's view of the scope, and what keeps a changed one. */
export function useView({ scope, mail = false }: Search): [View, (view: View) => void] {
  const client = useQueryClient()
  const notify = useNotify()
  const { data } = useQuery({
    queryKey: VIEWS,
    queryFn: ({ signal }) => take(api.GET('/api/table-views', { signal })),
    staleTime: Infinity,
  })
  const view = useMemo(
    () =>
      (data?.find(each => each.scope === scope && each.mail === mail)?.view as View | undefined) ?? defaultView(mail),
    [data, scope, mail],
  )
  const keep = useCallback(
    (next: View) => {
      const kept: TableView = { scope, mail, view: next as TableView['view'] }
      client.setQueryData<TableView[]>(VIEWS, old => [
        ...(old ?? []).filter(each => each.scope !== scope || each.mail !== mail),
        kept,
      ])
      done(api.PUT('/api/table-views', { body: kept })).catch(() =>
        notify('These columns are not kept for the next time: the console did not take them.'),
      )
    },
    [client, notify, scope, mail],
  )
  return [view, keep]
}
