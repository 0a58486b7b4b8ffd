import { useState } from 'react'
import { Button, Text, Textarea } from '@mantine/core'
import { api, takeWithStatus } from '@/shared/api/client'
import type { Route } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { Foreign } from '@/shared/ui/Foreign'
import { useAction } from '@/shared/ui/useAction'
import { visible } from '@/shared/ui/visible'

/** Issues a route again, as it was asked for: authorised and logged as it was then. */
export function Renew({ route }: { route: Route }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant={route.former ? 'light' : 'subtle'}
        onClick={() => setOpen(true)}
        aria-label={`Issue ${visible(route.name)} again`}
      >
        Issue again
      </Button>
      {open && <RenewDialog route={route} close={() => setOpen(false)} />}
    </>
  )
}

function RenewDialog({ route, close }: { route: Route; close: () => void }) {
  const [reason, setReason] = useState('')
  const renew = useAction({
    run: () =>
      takeWithStatus(
        api.POST('/api/routes/renew', {
          body: { name: route.name, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        }),
      ),
    changes: ['routes', 'approvals'],
    said: ({ status }) =>
      status === 202
        ? 'Asked: a second person must approve the route. It is installed on the page Approvals then'
        : `The route “${route.name}” is issued again`,
    then: close,
  })
  return (
    <Dialog
      opened
      close={close}
      title={`Issue the route “${visible(route.name)}” again?`}
      action="Issue again"
      busy={renew.isPending}
      error={renew.error}
      submit={() => renew.mutate()}
    >
      <Text size="sm" component="div">
        <Foreign>{route.name}</Foreign> gets new trapdoors, for the query that it was made with: by all rules of
        keywords that senders may use, for the present epoch and as many behind it as it had. It does what it did. The
        rules decide as for a new route, and the log names each trapdoor.
      </Text>
      <Textarea
        label="Reason"
        description="For the log, and for who approves"
        autosize
        minRows={2}
        maxLength={1000}
        value={reason}
        onChange={e => setReason(e.currentTarget.value)}
      />
    </Dialog>
  )
}
