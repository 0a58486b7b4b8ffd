import { useState } from 'react'
import { Badge, Button, Group, Stack, Text, type MantineColor } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Approval, Query } from '@/shared/api/types'
import { timeZone, toMinute } from '@/shared/ui/format'
import { RouteSecret, useInstall } from '@/shared/ui/RouteDialog'
import { QueryTerms } from '@/shared/ui/QueryTerms'
import { Failure } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { visible } from '@/shared/ui/visible'
import type { Deciding } from './DecideDialog'
import { Foreign } from '@/shared/ui/Foreign'
import css from './ApprovalCard.module.css'

const STATES: Record<Approval['state'], { label: string; colour: MantineColor }> = {
  pending: { label: 'Waiting', colour: 'yellow' },
  approved: { label: 'Approved', colour: 'green' },
  refused: { label: 'Refused', colour: 'red' },
  expired: { label: 'Expired', colour: 'gray' },
}

interface Props {
  approval: Approval
  /** Absent for who may not decide. */
  decide?: (deciding: Deciding) => void
}

export function ApprovalCard({ approval, decide }: Props) {
  const { label, colour } = STATES[approval.state]
  const pending = approval.state === 'pending'
  return (
    <article className={`card ${css.card}`} aria-label={`Request of ${visible(approval.requester)}`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <strong>{approval.mine ? 'You' : <Foreign>{approval.requester}</Foreign>}</strong> asked for a{' '}
          {approval.purpose === 'route' ? 'standing route' : 'search'}, <Ago at={approval.requested} />
        </Text>
        <Badge variant="light" color={colour} tt="none">
          {label}
        </Badge>
      </Group>
      <code className={css.query}>
        {approval.query === undefined ? (
          'The query is shown to the requester and to approvers only.'
        ) : (
          <Foreign>{approval.query}</Foreign>
        )}
      </code>
      {(approval.terms !== undefined || (approval.notes ?? []).length > 0) && (
        <QueryTerms terms={approval.terms ?? []} notes={approval.notes ?? []} whole />
      )}
      <Facts approval={approval} />
      {pending && <Pending approval={approval} decide={decide} />}
      {approval.state === 'approved' && approval.mine && <SearchNow approval={approval} />}
      {approval.state === 'approved' && approval.mine && <InstallNow approval={approval} />}
    </article>
  )
}

function Facts({ approval }: { approval: Approval }) {
  const { from, to, route, decidedBy, decision } = approval
  const facts: [string, string | undefined][] = [
    ['Reason', approval.reason || 'None given'],
    ['Route', route && `${route.name}: ${route.action} ${route.target}`],
    ['Scope', approval.scope],
    ['Senders', approval.senders?.join(', ')],
    ['Epochs', approval.epochs.join(', ')],
    ['Time', from && to ? `${toMinute(from)} to ${toMinute(to)}, ${timeZone()}` : undefined],
    ['Rule', approval.rule],
    [
      approval.state === 'approved' ? 'Good until' : 'Expires',
      approval.state === 'refused' ? undefined : `${toMinute(approval.expires)}, ${timeZone()}`,
    ],
    ['Decided', decidedBy && `by ${decidedBy}, ${toMinute(approval.decided)}${decision ? `: ${decision}` : ''}`],
  ]
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Foreign>{value}</Foreign>
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Pending({ approval, decide }: Props) {
  if (approval.mine) {
    return (
      <Text size="sm" c="dimmed">
        Your own request: somebody else has to decide it.
      </Text>
    )
  }
  return decide ? (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" onClick={() => decide({ approval, outcome: 'refuse' })}>
        Refuse
      </Button>
      <Button size="xs" onClick={() => decide({ approval, outcome: 'approve' })}>
        Approve
      </Button>
    </Group>
  ) : null
}

function SearchNow({ approval }: { approval: Approval }) {
  const navigate = useNavigate()
  if (approval.purpose !== 'search' || approval.query === undefined) {
    return null
  }
  const query: Query = {
    query: approval.query,
    scope: approval.scope,
    mail: approval.mail,
    from: approval.from,
    to: approval.to,
    ...sendersOf(approval),
  }
  return (
    <Group justify="flex-end">
      <Button size="xs" variant="light" onClick={() => void navigate('/', { state: { query } })}>
        Put it into the search bar
      </Button>
    </Group>
  )
}

const sendersOf = ({ senders }: Approval): Pick<Query, 'senders'> => (senders?.length ? { senders } : {})

/** Exactly the route that was approved. */
function InstallNow({ approval }: { approval: Approval }) {
  const { query, scope, mail, route, epochs } = approval
  const [done, setDone] = useState(false)
  const install = useInstall(() => setDone(true))
  if (!route || query === undefined) {
    return null
  }
  return (
    <Stack gap="xs">
      {install.error && <Failure error={install.error} />}
      <Group justify="flex-end">
        <Button
          size="xs"
          variant="light"
          disabled={done}
          loading={install.isPending}
          onClick={() =>
            install.mutate({ ...route, query: { query, scope, mail, ...sendersOf(approval) }, epochs: epochs.length })
          }
        >
          Install the route
        </Button>
      </Group>
      {install.secret !== undefined && !done && (
        <RouteSecret name={route.name} secret={install.secret} close={() => setDone(true)} />
      )}
    </Stack>
  )
}
