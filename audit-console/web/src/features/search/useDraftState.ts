import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { Query, Scope, Search } from '@/shared/api/types'
import { takeDraft, useDraft } from '@/shared/auth/drafts'
import { fromQuery, isSameSearch, NEW_DRAFT, type Draft } from './draft'
import { startedFrom } from './started'
import type { TimeRange } from './time'

/** What stands in the bar: what was typed before a login, what another page sent here, the search that is shown, or nothing. */
export function useDraftState(
  id: string | undefined,
  search: Search | undefined,
  scopes: readonly Scope[] | undefined,
) {
  const client = useQueryClient()
  const location = useLocation()
  const [taken] = useState(() => takeDraft<Draft>('search'))
  const kept = useRef(taken)
  const [draft, setDraft] = useState<Draft>(taken ?? NEW_DRAFT)
  useDraft('search', draft)
  const change = useCallback((part: Partial<Draft>) => setDraft(old => ({ ...old, ...part })), [])

  const state = location.state as { query?: Query; time?: TimeRange } | null
  const sent = state?.query
  const minutes = state?.time?.kind === 'relative' ? state.time.minutes : undefined
  useEffect(() => {
    if (sent) {
      setDraft(fromQuery(sent))
    }
  }, [sent])

  // Wherever one comes from, also by Back: the bar says what the results are of.
  const searched = useMemo(
    () => (search ? (startedFrom(client).get(search.id) ?? shownAgain(search, minutes)) : undefined),
    [client, search, minutes],
  )
  const [shown, setShown] = useState<string>()
  const justStarted = useRef<string>(undefined)
  useEffect(() => {
    if (id === undefined) {
      kept.current = undefined
      setShown(undefined)
    } else if (search && searched && shown !== search.id) {
      setShown(search.id)
      const typed = justStarted.current === search.id || (kept.current?.query ?? '').trim() !== ''
      justStarted.current = undefined
      kept.current = undefined
      if (!typed) {
        setDraft(searched)
      }
    }
  }, [id, search, searched, shown])
  const started = useCallback(
    (of: string, from: Draft) => {
      startedFrom(client).put(of, from)
      justStarted.current = of
    },
    [client],
  )

  // The scope says whether the query is one of mails, also where a query came without that word.
  useEffect(() => {
    if (scopes) {
      setDraft(old => {
        const scope = scopes.find(({ name }) => name === old.scope) ?? (old.scope === '' ? scopes[0] : undefined)
        return scope ? { ...old, scope: scope.name, mail: scope.kind === 'mailbox' } : old
      })
    }
  }, [scopes, draft.scope])
  const edited = searched !== undefined && shown === search?.id && !isSameSearch(draft, searched)
  return { draft, change, started, searched, edited }
}

/** Of a search that was started before the page was loaded anew. */
const shownAgain = (search: Search, minutes: number | undefined): Draft => ({
  ...fromQuery(search),
  ...(minutes !== undefined && { time: { kind: 'relative', minutes } }),
})
