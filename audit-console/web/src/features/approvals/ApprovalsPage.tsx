import { useState } from 'react'
import { SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Approval } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { ApprovalCard } from './ApprovalCard'
import { DecideDialog, type Deciding } from './DecideDialog'

type Show = 'all' | 'pending' | 'mine'

const SHOWN: Record<Show, (approval: Approval) => boolean> = {
  all: () => true,
  pending: ({ state }) => state === 'pending',
  mine: ({ mine }) => mine,
}

/** What waits comes first, and of that what this person may decide; then the newest. */
export function ordered(approvals: Approval[]): Approval[] {
  const rank = ({ state, mine }: Approval) => (state !== 'pending' ? 2 : mine ? 1 : 0)
  return [...approvals].sort((a, b) => rank(a) - rank(b) || b.requested.localeCompare(a.requested))
}

export default function ApprovalsPage() {
  const approver = useHasRole('approver')
  const [show, setShow] = useState<Show>('all')
  const [deciding, setDeciding] = useState<Deciding>()
  const approvals = useQuery({
    queryKey: ['approvals', 'all'],
    queryFn: () => take(api.GET('/api/approvals')),
    refetchInterval: 30_000,
  })
  return (
    <Page
      title="Approvals"
      lead="Searches and routes that a rule lets through only with a second person’s consent. Nothing is issued before."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Show"
          value={show}
          onChange={value => setShow(value)}
          data={[
            { value: 'all', label: 'All' },
            { value: 'pending', label: 'Waiting' },
            { value: 'mine', label: 'My requests' },
          ]}
        />
      }
    >
      <View
        query={approvals}
        isEmpty={data => !data.some(SHOWN[show])}
        empty={
          <Empty title={show === 'pending' ? 'Nothing waits for a decision' : 'There are no requests'}>
            {approver
              ? 'Requests of others appear here.'
              : 'When a search of yours needs approval, its request appears here.'}
          </Empty>
        }
      >
        {data => (
          <Stack gap="sm">
            {ordered(data.filter(SHOWN[show])).map(approval => (
              <ApprovalCard key={approval.id} approval={approval} decide={approver ? setDeciding : undefined} />
            ))}
          </Stack>
        )}
      </View>
      {deciding && <DecideDialog deciding={deciding} close={() => setDeciding(undefined)} />}
    </Page>
  )
}
