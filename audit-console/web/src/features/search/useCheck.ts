import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { api, take } from '@/shared/api/client'
import type { QueryCheck } from '@/shared/api/types'
import { toQuery, type Draft } from './draft'

export const CHECK_DELAY = 300

export interface Check {
  /** Of exactly what stands in the bar now. */
  current: QueryCheck | undefined
  /** Of what stood there a moment ago, to be shown until the current one is there. */
  shown: QueryCheck | undefined
  error: unknown
  waiting: boolean
}

/** What the search would mean and need, asked 300 ms after the last change, or at once when somebody waits for it. It issues nothing. */
export function useCheck(draft: Draft, hurry: boolean): Check {
  const { reason: _, ...asked } = draft
  const text = JSON.stringify(asked)
  const [debounced] = useDebouncedValue(text, CHECK_DELAY)
  const settled = hurry ? text : debounced
  const enabled = draft.query.trim() !== '' && draft.scope !== ''
  const query = useQuery({
    queryKey: ['check', settled],
    queryFn: ({ signal }) => {
      const of = JSON.parse(settled) as Draft
      return take(api.POST('/api/queries/check', { body: toQuery(of), signal }))
    },
    enabled: enabled && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  if (!enabled) {
    return { current: undefined, shown: undefined, error: undefined, waiting: false }
  }
  const current = settled === text && query.isSuccess && !query.isPlaceholderData ? query.data : undefined
  return { current, shown: query.data, error: current ? undefined : query.error, waiting: !current && !query.error }
}
