import { Box } from '@mantine/core'
import { useRouteError } from 'react-router'
import { Failure } from '@/shared/ui/States'

/** A page that could not be loaded or broke: said, never blank. */
export function PageFailure() {
  const error = useRouteError()
  return (
    <Box p="xl" maw={720} mx="auto">
      <Failure error={error} retry={() => window.location.reload()} />
    </Box>
  )
}
