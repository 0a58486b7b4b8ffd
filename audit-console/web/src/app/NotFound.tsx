import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { Empty } from '@/shared/ui/States'

export function NotFound() {
  return (
    <Empty
      title="There is no such page"
      action={
        <Button component={Link} to="/" variant="default">
          To the search
        </Button>
      }
    >
      The address may be mistyped, or from an older version.
    </Empty>
  )
}
