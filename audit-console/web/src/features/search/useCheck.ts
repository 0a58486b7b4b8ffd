import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { api, take } from '@/shared/api/client'
import type { QueryCheck } from '@/shared/api/types'
import { count } from '@/shared/ui/format'
import { MOST_CHARACTERS, toQuery, type Draft } from './draft'

export const CHECK_DELAY = 300

export interface Check {
  /** Of exactly what stands in the bar now. */
  current: QueryCheck | undefined
  error: unknown
  waiting: boolean
}

/** What the search would mean and need, asked 300 ms after the last change, or at once when somebody waits for it. It issues nothing. */
export function useCheck(draft: Draft, hurry: boolean): Check {
  const { reason: _, ...asked } = draft
  const text = JSON.stringify(asked)
  const [debounced] = useDebouncedValue(text, CHECK_DELAY)
  // What somebody waited for once is not taken back until the text changes.
  const [hurried, setHurried] = useState<string>()
  if (hurry && hurried !== text) {
    setHurried(text)
  }
  const settled = hurry || hurried === text ? text : debounced
  const long = draft.query.trim().length > MOST_CHARACTERS
  const enabled = draft.query.trim() !== '' && draft.scope !== '' && !long
  const query = useQuery({
    queryKey: ['check', settled],
    queryFn: ({ signal }) => {
      const of = JSON.parse(settled) as Draft
      return take(api.POST('/api/queries/check', { body: toQuery(of), signal }))
    },
    enabled: enabled && settled === text,
    staleTime: 60_000,
  })
  if (long) {
    return { current: tooLong(draft.query.trim().length), error: undefined, waiting: false }
  }
  if (!enabled) {
    return { current: undefined, error: undefined, waiting: false }
  }
  const current = settled === text && query.isSuccess ? query.data : undefined
  const error = settled === text ? query.error : undefined
  return { current, error: current ? undefined : error, waiting: !current && !error }
}

/** Said here, since the server does not read so much; nothing of what was pasted is cut off. */
const tooLong = (characters: number): QueryCheck => ({
  errors: [
    {
      message: `The query has ${count(characters)} characters; it may have ${count(MOST_CHARACTERS)}. Shorten it: nothing was cut off.`,
      suggestions: [],
    },
  ],
  warnings: [],
  notes: [],
  epochs: [],
  trapdoors: 0,
  leakage: [],
})
