import { Group, Text } from '@mantine/core'
import { api, done } from '@/shared/api/client'
import type { Sender } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { ChainState, chainMeaning } from '@/shared/ui/ChainState'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { CopyIcon } from '@/shared/ui/Copy'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { count } from '@/shared/ui/format'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { Access } from './Access'

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
  { name: 'Last heard of', cell: sender => <Ago at={sender.lastSeen} /> },
]

/** Where the gateway said nothing: its silence is not to read as that it has not seen them. */
const UNASKED: Column<Sender>[] = [
  ...COLUMNS.slice(0, 1),
  { name: 'What is known', wide: true, cell: sender => <Known sender={sender} known={false} /> },
]

/** Some senders. What the gateway was not asked is not said of them. */
export function SenderTable({ senders, known }: { senders: Sender[]; known: boolean }) {
  const keeper = useHasRole('keeper')
  const columns = known ? COLUMNS : UNASKED
  return (
    <DataTable
      label="Senders"
      items={senders}
      keyOf={sender => sender.name}
      columns={
        keeper ? [...columns, { name: 'Actions', hidden: true, cell: sender => <Actions sender={sender} /> }] : columns
      }
    />
  )
}

function Known({ sender, known = true }: { sender: Sender; known?: boolean }) {
  return (
    <>
      {sender.gaps && sender.gaps.length > 0 ? (
        <Text size="sm" c="var(--vg-red)">
          <Foreign>{sender.gaps.join('; ')}</Foreign>
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {known && sender.state ? chainMeaning(sender.state) : 'Registered.'}
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
