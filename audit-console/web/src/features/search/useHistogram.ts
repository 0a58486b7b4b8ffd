import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Search } from '@/shared/api/types'
import { isLive } from './useSearch'

export const BUCKETS = 80

/** Read every second while hits arrive, and once at the end. */
export function useHistogram(search: Search) {
  const live = isLive(search)
  return useQuery({
    queryKey: ['histogram', search.id, live ? 'live' : 'end'],
    queryFn: () =>
      take(
        api.GET('/api/searches/{id}/histogram', { params: { path: { id: search.id }, query: { buckets: BUCKETS } } }),
      ),
    refetchInterval: live ? 1000 : false,
    placeholderData: keepPreviousData,
    staleTime: live ? 0 : Infinity,
    enabled: search.rows > 0,
  })
}
