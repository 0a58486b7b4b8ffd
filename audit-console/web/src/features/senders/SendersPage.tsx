import { useState } from 'react'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { Sender } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { ChainState, chainMeaning } from '@/shared/ui/ChainState'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { CopyIcon } from '@/shared/ui/Copy'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { count } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { Access } from './Access'
import { Indexes } from './Indexes'
import { KeywordRules } from './KeywordRules'
import { RegisterDialog } from './RegisterDialog'
import { Sweep } from './Sweep'
import { Foreign } from '@/shared/ui/Foreign'

const COLUMNS: Column<Sender>[] = [
  {
    name: 'Sender',
    cell: sender => (
      <strong>
        <Foreign>{sender.name}</Foreign>
      </strong>
    ),
  },
  {
    name: 'Chain',
    cell: sender => <ChainState state={sender.state ?? (sender.registered ? 'unknown' : 'unregistered')} />,
  },
  { name: 'What is known', wide: true, cell: sender => <Known sender={sender} /> },
  {
    name: 'Last number',
    cell: sender => (
      <span className="nums">{sender.lastSequence === undefined ? '–' : count(sender.lastSequence)}</span>
    ),
  },
  { name: 'Last seen', cell: sender => <Ago at={sender.lastSeen} /> },
]

export default function SendersPage() {
  const keeper = useHasRole('keeper')
  const [registering, setRegistering] = useState(false)
  const senders = useQuery({ queryKey: ['senders'], queryFn: () => take(api.GET('/api/senders')) })
  const columns = keeper
    ? [...COLUMNS, { name: 'Actions', hidden: true, cell: (sender: Sender) => <Actions sender={sender} /> }]
    : COLUMNS
  return (
    <Page
      title="Senders"
      lead="Devices and programs that sign what they send, and others that were seen. A registered sender’s messages are numbered and chained, so that gaps show."
      actions={keeper && <Button onClick={() => setRegistering(true)}>Register a sender</Button>}
    >
      <View
        query={senders}
        isEmpty={data => data.length === 0}
        empty={
          <Empty title="No senders yet">Register one with what “veilgate identity show” prints on the device.</Empty>
        }
      >
        {data => (
          <>
            <DataTable label="Senders" items={data} keyOf={sender => sender.name} columns={columns} />
            <KeywordRules />
            {keeper && <Indexes />}
            {keeper && <Sweep />}
          </>
        )}
      </View>
      {registering && <RegisterDialog close={() => setRegistering(false)} />}
    </Page>
  )
}

function Known({ sender }: { sender: Sender }) {
  return (
    <>
      {sender.gaps && sender.gaps.length > 0 ? (
        <Text size="sm" c="var(--vg-red)">
          <Foreign>{sender.gaps.join('; ')}</Foreign>
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {sender.state ? chainMeaning(sender.state) : ''}
        </Text>
      )}
      {sender.fingerprint && (
        <Text size="xs" c="dimmed" component="div">
          <code>
            <Foreign>{sender.fingerprint}</Foreign>
          </code>{' '}
          <CopyIcon text={sender.fingerprint} what="the fingerprint" />
        </Text>
      )}
    </>
  )
}

function Actions({ sender }: { sender: Sender }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Access sender={sender} />
      <Remove sender={sender} />
    </Group>
  )
}

function Remove({ sender }: { sender: Sender }) {
  const remove = useAction({
    run: () => done(api.POST('/api/senders/remove', { body: { name: sender.name } })),
    changes: ['senders'],
    said: () => `${sender.name} is no longer registered`,
  })
  return sender.registered ? (
    <ConfirmButton label="Remove" of={sender.name} title={`Remove ${sender.name}?`} action={remove}>
      What <Foreign>{sender.name}</Foreign> sends from now on proves nothing about who sent it, and gaps are no longer
      noticed. What is stored stays.
    </ConfirmButton>
  ) : null
}
