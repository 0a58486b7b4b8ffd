import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, done, takeWithStatus } from '@/shared/api/client'
import type { Approval, Search } from '@/shared/api/types'
import { useAction } from '@/shared/ui/useAction'
import { toQuery, type Draft } from './draft'

/** Starts searches, or asks for approval of them. */
export function useStart(asked: (approval: Approval | undefined) => void, started: (id: string, draft: Draft) => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useAction<Draft, { status: number; data: Search | Approval }>({
    run: draft => {
      const reason = draft.reason.trim()
      const body = { ...toQuery(draft), ...(reason !== '' && { reason }) }
      return takeWithStatus(api.POST('/api/searches', { body }))
    },
    changes: ['searches', 'approvals', 'check'],
    then: ({ status, data }, draft) => {
      if (status === 202) {
        asked(data as Approval)
        return
      }
      asked(undefined)
      const search = data as Search
      started(search.id, draft)
      client.setQueryData(['search', search.id], search)
      // A relative time stays one when the page is loaded anew; it is no secret, unlike the query.
      void navigate(`/searches/${search.id}`, { state: { time: draft.time } })
    },
  })
}

export function useStop(id: string | undefined) {
  return useAction({ run: () => done(api.POST('/api/searches/{id}/stop', { params: { path: { id: id ?? '' } } })) })
}

export function useForget(id: string | undefined) {
  const navigate = useNavigate()
  return useAction({
    run: () => done(api.DELETE('/api/searches/{id}', { params: { path: { id: id ?? '' } } })),
    changes: ['searches'],
    said: () => 'The search is forgotten',
    then: () => void navigate('/'),
  })
}
