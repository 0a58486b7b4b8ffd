import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Query, Scope, Search } from '@/shared/api/types'
import { takeDraft, useDraft } from '@/shared/auth/drafts'
import { fromQuery, NEW_DRAFT, type Draft } from './draft'

/** What stands in the bar: what was typed before a login, what another page sent here, the search that is shown, or nothing. */
export function useDraftState(search: Search | undefined, scopes: readonly Scope[] | undefined) {
  const location = useLocation()
  const [draft, setDraft] = useState<Draft>(() => takeDraft<Draft>('search') ?? NEW_DRAFT)
  useDraft('search', draft)
  const change = useCallback((part: Partial<Draft>) => setDraft(old => ({ ...old, ...part })), [])

  const sent = (location.state as { query?: Query } | null)?.query
  useEffect(() => {
    if (sent) {
      setDraft(fromQuery(sent))
    }
  }, [sent])

  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (search && shown.current !== search.id) {
      shown.current = search.id
      // A search that was just started from here has the bar's own, relative, time.
      setDraft(old => (old.query.trim() === '' ? fromQuery(search) : old))
    }
  }, [search])

  // The scope says whether the query is one of mails, also where a query came without that word.
  useEffect(() => {
    if (scopes) {
      setDraft(old => {
        const scope = scopes.find(({ name }) => name === old.scope) ?? (old.scope === '' ? scopes[0] : undefined)
        return scope ? { ...old, scope: scope.name, mail: scope.kind === 'mailbox' } : old
      })
    }
  }, [scopes, draft.scope])
  return { draft, change }
}
