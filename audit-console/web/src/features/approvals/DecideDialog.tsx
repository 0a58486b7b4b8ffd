import { useState } from 'react'
import { Text, Textarea } from '@mantine/core'
import { api, take } from '@/shared/api/client'
import type { Approval } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { toMinute } from '@/shared/ui/format'
import { useAction } from '@/shared/ui/useAction'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'

export interface Deciding {
  approval: Approval
  outcome: 'approve' | 'refuse'
}

export function DecideDialog({ deciding: { approval, outcome }, close }: { deciding: Deciding; close: () => void }) {
  const [reason, setReason] = useState('')
  const approve = outcome === 'approve'
  const decide = useAction({
    run: () => {
      const body = { ...(reason.trim() !== '' && { reason: reason.trim() }) }
      const init = { params: { path: { id: approval.id } }, body }
      return take(
        approve ? api.POST('/api/approvals/{id}/approve', init) : api.POST('/api/approvals/{id}/refuse', init),
      )
    },
    changes: ['approvals'],
    said: () => `The request of ${approval.requester} is ${approve ? 'approved' : 'refused'}`,
    then: close,
  })
  return (
    <Dialog
      opened
      close={close}
      title={approve ? 'Approve this request?' : 'Refuse this request?'}
      action={approve ? 'Approve' : 'Refuse'}
      color={approve ? undefined : 'red'}
      disabled={!approve && reason.trim() === ''}
      busy={decide.isPending}
      error={decide.error}
      submit={() => decide.mutate()}
    >
      <Text size="sm">
        <Foreign>{approval.requester}</Foreign> may {approve ? '' : 'not '}
        {approval.purpose === 'route' ? 'install a route for' : 'search for'}{' '}
        <code>
          <Foreign>{approval.query}</Foreign>
        </code>{' '}
        in <Foreign>{approval.scope}</Foreign>
        {approve ? `, until ${toMinute(approval.expires)}.` : '.'} Your name and your reason go into the log.
      </Text>
      <Textarea
        label={approve ? 'Reason (optional)' : 'Reason'}
        description={approve ? undefined : `${visible(approval.requester)} reads it`}
        required={!approve}
        autosize
        minRows={2}
        maxLength={1000}
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </Dialog>
  )
}
