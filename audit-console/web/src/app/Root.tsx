import { Box } from '@mantine/core'
import { SessionProvider, useSessionQuery } from '@/shared/auth/session'
import { SessionOver } from '@/shared/auth/SessionOver'
import { Failure } from '@/shared/ui/States'
import { Shell } from './Shell'
import { Starting } from './Starting'
import { Welcome } from './Welcome'

/** Who is asking decides what is shown first: nothing yet, the way in, or the console. */
export function Root() {
  const session = useSessionQuery()
  if (session.data) {
    return (
      <SessionProvider session={session.data}>
        <Shell />
        <SessionOver />
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
