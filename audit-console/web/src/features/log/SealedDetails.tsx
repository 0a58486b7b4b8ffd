import { Badge, Button, Text } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { api, take } from '@/shared/api/client'
import { explain } from '@/shared/api/problem'
import { useHasRole } from '@/shared/auth/session'
import { useAction } from '@/shared/ui/useAction'
import { NamedValues } from './NamedValues'
import { Foreign } from '@/shared/ui/Foreign'

/** What a rule wants kept from whoever reads the log. Opened for an approver, who is in the log with it. */
export function SealedDetails({ number }: { number: number }) {
  const approver = useHasRole('approver')
  const open = useAction({
    run: () => take(api.POST('/api/log/{number}/details', { params: { path: { number } } })),
    said: () => 'That you opened it is an entry of the log',
  })
  if (open.data) {
    return (
      <span role="group" aria-label={`Sealed details of entry ${number}`}>
        <IconLockOpen size={13} aria-hidden /> <NamedValues values={open.data} />
      </span>
    )
  }
  return (
    <>
      {approver ? (
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconLock size={12} aria-hidden />}
          loading={open.isPending}
          onClick={() => open.mutate()}
          aria-label={`Open the sealed details of entry ${number}`}
          title="That you open them becomes an entry of the log"
        >
          Open sealed details
        </Button>
      ) : (
        <Badge
          variant="light"
          color="gray"
          tt="none"
          leftSection={<IconLock size={11} />}
          title="A rule keeps them from whoever reads the log; an approver can open them"
        >
          sealed details
        </Badge>
      )}
      {open.error && (
        <Text role="alert" size="xs" c="var(--vg-red)" component="span">
          <Foreign>{explain(open.error).what}</Foreign>
        </Text>
      )}
    </>
  )
}
