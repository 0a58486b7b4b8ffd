import { createContext, useContext, type ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../api/client'
import { ApiError } from '../api/problem'
import type { Role, Session } from '../api/types'
import { forgetAnswers } from './forget'
import { sessionState } from './sessionState'

export const LOGIN = '/oauth2/authorization/veilgate'

const SessionContext = createContext<Session | undefined>(undefined)

/** Key of the query that asks who is logged in. */
export const SESSION = ['session'] as const

/** A session that ended without this page's doing is noticed after so long. */
const LOOK = 30_000

/**
 * Asks who is logged in: at the start, from time to time, and whenever the window is looked at again, since another tab may have logged out or in anew. That is no use
 * of the session.
 */
export function useSessionQuery() {
  const client = useQueryClient()
  return useQuery({
    queryKey: SESSION,
    queryFn: async () => {
      try {
        const session = await take(api.GET('/api/session'))
        if (sessionState.isOthers(session.user)) {
          forgetAnswers(client)
        }
        sessionState.begin(session.csrf, session.user)
        return session
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null
        }
        throw error
      }
    },
    refetchOnWindowFocus: 'always',
    refetchInterval: LOOK,
    refetchIntervalInBackground: true,
  })
}

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) {
    throw new Error('There is no session here')
  }
  return session
}

export function useHasRole(...roles: Role[]): boolean {
  const session = useContext(SessionContext)
  return session !== undefined && roles.some(role => session.roles.includes(role))
}
