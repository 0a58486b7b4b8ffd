import { useState } from 'react'
import { Badge, Button, Code, Group, Text, type MantineColor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { MailUser, MailUsers } from '@/shared/api/types'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { DataTable } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { visible } from '@/shared/ui/visible'
import { EnrolDialog } from './EnrolDialog'

export default function MailUsersPage() {
  const [enrolling, setEnrolling] = useState<'new' | MailUser>()
  const users = useQuery({
    queryKey: ['mail-users'],
    queryFn: () => take(api.GET('/api/mail-users')),
    // users use links while a keeper looks on
    refetchInterval: 30_000,
  })
  return (
    <Page
      title="Mail users"
      lead="Who reads sealed mail. Each has a certificate that mail is sealed for; the key that opens it is the user’s, and is not kept here."
      actions={<Button onClick={() => setEnrolling('new')}>Enrol a user</Button>}
    >
      <View
        query={users}
        isEmpty={data => data.users.length === 0}
        empty={
          <Empty title="Nobody is enrolled yet">
            Enrol a user, and give the link and the passphrase on two different ways.
          </Empty>
        }
      >
        {data => <Users users={data.users} renew={setEnrolling} />}
      </View>
      {enrolling && (
        <EnrolDialog
          user={enrolling === 'new' ? undefined : enrolling}
          servers={users.data}
          close={() => setEnrolling(undefined)}
        />
      )}
    </Page>
  )
}

function Users({ users, renew }: { users: MailUsers['users']; renew: (user: MailUser) => void }) {
  return (
    <DataTable
      label="Mail users"
      items={users}
      keyOf={user => user.address}
      columns={[
        { name: 'Address', wide: true, cell: user => <Address user={user} /> },
        { name: 'Certificate', cell: user => <Certificate user={user} /> },
        { name: 'Link', cell: user => <LinkState user={user} /> },
        { name: 'Actions', hidden: true, cell: user => <Actions user={user} renew={renew} /> },
      ]}
    />
  )
}

function Address({ user: { address, scope } }: { user: MailUser }) {
  return (
    <>
      <strong>
        <Foreign>{address}</Foreign>
      </strong>
      {scope && (
        <Text size="xs" c="dimmed">
          scope <Foreign>{scope}</Foreign>
        </Text>
      )}
    </>
  )
}

function Certificate({ user: { certificate, notAfter, issuedHere, link } }: { user: MailUser }) {
  if (!certificate) {
    return (
      <Text size="sm" c="dimmed">
        {link?.used ? 'Taken back' : 'None yet'}
      </Text>
    )
  }
  return (
    <>
      <Code title={visible(certificate)}>{visible(certificate.slice(0, 16))}…</Code>
      <Text size="xs" c="dimmed">
        to {day(notAfter)}
        {!issuedHere && ', of another authority'}
      </Text>
    </>
  )
}

const day = (at: string | undefined): string => at?.slice(0, 10) ?? 'a day that it does not say'

const STATES: Record<NonNullable<MailUser['link']>['state'], { label: string; color: MantineColor }> = {
  open: { label: 'not used yet', color: 'yellow' },
  used: { label: 'used', color: 'green' },
  received: { label: 'used', color: 'green' },
  lapsed: { label: 'over, never used', color: 'red' },
  cancelled: { label: 'cancelled', color: 'gray' },
}

function LinkState({ user: { link } }: { user: MailUser }) {
  if (!link) {
    return <>–</>
  }
  const { label, color } = STATES[link.state]
  return (
    <>
      <Badge variant="light" color={color} tt="none">
        {label}
      </Badge>
      <Text size="xs" c="dimmed">
        {link.state === 'open' ? (
          <>
            ends <Ago at={link.expires} />
          </>
        ) : (
          <Ago at={link.used ?? link.created} />
        )}
      </Text>
    </>
  )
}

function Actions({ user, renew }: { user: MailUser; renew: (user: MailUser) => void }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => renew(user)}
        aria-label={`${user.certificate ? 'Renew' : 'Enrol again'} ${visible(user.address)}`}
      >
        {user.certificate ? 'Renew' : 'Enrol again'}
      </Button>
      {user.link?.state === 'open' && <Cancel user={user} />}
      {user.certificate && <Withdraw user={user} />}
    </Group>
  )
}

function Cancel({ user: { address, certificate } }: { user: MailUser }) {
  const cancel = useAction({
    run: () => done(api.POST('/api/mail-users/cancel-link', { body: { address } })),
    changes: ['mail-users'],
    said: () => `The link for ${address} opens nothing any more`,
  })
  return (
    <ConfirmButton label="Cancel link" of={address} title={`Cancel the link for ${address}?`} action={cancel}>
      The link opens nothing any more, and its files are forgotten.{' '}
      {certificate ? 'The certificate that mail is sealed for now stays.' : 'No mail was sealed for them yet.'}
    </ConfirmButton>
  )
}

function Withdraw({ user: { address } }: { user: MailUser }) {
  const withdraw = useAction({
    run: () => done(api.POST('/api/mail-users/withdraw', { body: { address } })),
    changes: ['mail-users'],
    said: () => `Nothing is sealed for ${address} any more by who has the next bundle`,
  })
  return (
    <ConfirmButton label="Take back" of={address} title={`Take the certificate of ${address} back?`} action={withdraw}>
      Senders that have the next bundle seal nothing for <Foreign>{address}</Foreign> any more. What was sealed before
      stays readable to whoever has the key. If somebody else used the link, renew the certificate after that.
    </ConfirmButton>
  )
}
