import { useEffect, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { Box } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { forgetAnswers } from '@/shared/auth/forget'
import { SessionProvider, useSessionQuery } from '@/shared/auth/session'
import { SessionEnding } from '@/shared/auth/SessionEnding'
import { SessionOver } from '@/shared/auth/SessionOver'
import { sessionState } from '@/shared/auth/sessionState'
import { Failure } from '@/shared/ui/States'
import { Shell } from './Shell'
import { Starting } from './Starting'
import { Welcome } from './Welcome'

/** Who is asking decides what is shown first: nothing yet, the way in, or the console. At the end of a session nothing of it stays. */
export function Root() {
  const session = useSessionQuery()
  const over = useOver()
  if (over) {
    return <SessionOver />
  }
  if (session.data) {
    return (
      // Another person who logged in in another tab gets a page of her own.
      <SessionProvider key={session.data.user} session={session.data}>
        <Shell />
        <SessionEnding session={session.data} readAt={session.dataUpdatedAt} />
      </SessionProvider>
    )
  }
  if (session.data === null) {
    return <Welcome />
  }
  if (session.error) {
    return (
      <Box p="xl" maw={720} mx="auto">
        <Failure error={session.error} retry={() => void session.refetch()} />
      </Box>
    )
  }
  return <Starting />
}

/** Whether the session is over. Then, behind the views that showed them, the answers go. */
function useOver(): boolean {
  const client = useQueryClient()
  const over = useSyncExternalStore(sessionState.subscribe, sessionState.isOver)
  useEffect(() => {
    if (over) {
      document.title = 'Veilgate'
      forgetAnswers(client)
    }
  }, [client, over])
  useEffect(() => {
    // A page that the browser keeps for its button Back is kept empty, and begins anew.
    const leave = (event: PageTransitionEvent) => event.persisted && flushSync(() => sessionState.end())
    const back = (event: PageTransitionEvent) => event.persisted && window.location.reload()
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', back)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', back)
    }
  }, [])
  return over
}
