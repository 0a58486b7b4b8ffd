import { createContext, useContext, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../api/client'
import { ApiError } from '../api/problem'
import type { Role, Session } from '../api/types'
import { sessionState } from './sessionState'

export const LOGIN = '/oauth2/authorization/veilgate'

const SessionContext = createContext<Session | undefined>(undefined)

/** Asks who is logged in: at the start, and whenever the window is looked at again, since another tab may have logged in anew. */
export function useSessionQuery() {
  return useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      try {
        const session = await take(api.GET('/api/session'))
        sessionState.begin(session.csrf)
        return session
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          return null
        }
        throw error
      }
    },
    refetchOnWindowFocus: 'always',
    // A session that ended keeps what is on the screen: the dialog says so above it.
    structuralSharing: (old, fresh) => (fresh === null && old ? old : fresh),
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
