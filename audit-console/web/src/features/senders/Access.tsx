import { useState } from 'react'
import { Alert, Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { api, done, take } from '@/shared/api/client'
import type { Credential, CredentialKind, Sender } from '@/shared/api/types'
import { CopyButton } from '@/shared/ui/Copy'
import { DialogFooter } from '@/shared/ui/DialogFooter'
import { Failure } from '@/shared/ui/States'
import { useAction } from '@/shared/ui/useAction'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'

const KINDS: { kind: CredentialKind; label: string; what: string }[] = [
  { kind: 'mqtt', label: 'MQTT password', what: 'The user name is the sender’s' },
  { kind: 'smtp', label: 'SMTP password', what: 'For the mail proxy; the user name is the sender’s' },
  { kind: 'http', label: 'HTTP token', what: 'A bearer token that may hand in envelopes and nothing else' },
]

/** By what a sender comes through the gateway's door. It says nothing of who signed what is sent: that is the registered key. */
export function Access({ sender }: { sender: Sender }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => setOpen(true)}
        aria-label={`Access of ${visible(sender.name)} to the gateway`}
      >
        Access
      </Button>
      {open && <AccessDialog sender={sender} close={() => setOpen(false)} />}
    </>
  )
}

function AccessDialog({ sender, close }: { sender: Sender; close: () => void }) {
  const [made, setMade] = useState<Credential>()
  return (
    <Modal
      opened
      onClose={close}
      title={<span className="dialog-title">{`Access of ${visible(sender.name)}`}</span>}
      size={560}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text size="sm">
          By which <Foreign>{sender.name}</Foreign> may send to the gateway. The gateway keeps a digest of a secret
          only.
        </Text>
        {KINDS.map(({ kind, label, what }) => (
          <Way key={kind} sender={sender} kind={kind} label={label} what={what} made={setMade} />
        ))}
        {made && <Secret credential={made} />}
        <DialogFooter>
          <Button variant="default" onClick={close}>
            Done
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

interface WayProps {
  sender: Sender
  kind: CredentialKind
  label: string
  what: string
  made: (credential: Credential | undefined) => void
}

function Way({ sender, kind, label, what, made }: WayProps) {
  const { name } = sender
  const has = sender.credentials?.includes(kind) ?? false
  const make = useAction({
    run: () => take(api.POST('/api/senders/credential', { body: { name, kind } })),
    changes: ['senders'],
    then: made,
  })
  const remove = useAction({
    run: () => done(api.POST('/api/senders/credential/remove', { body: { name, kind } })),
    changes: ['senders'],
    said: () => `${name} has no ${label} any more`,
    then: () => made(undefined),
  })
  const error = make.error ?? remove.error
  return (
    <div role="group" aria-label={label}>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {label}
            </Text>
            {has && (
              <Badge variant="light" color="green" tt="none">
                given out
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {has ? 'A new one ends the old one at once' : what}
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          <Button size="compact-sm" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            {has ? 'Make a new one' : 'Make one'}
          </Button>
          {has && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              Take away
            </Button>
          )}
        </Group>
      </Group>
      {error && <Failure error={error} />}
    </div>
  )
}

function Secret({ credential }: { credential: Credential }) {
  return (
    <Alert color="yellow" title="Shown this once" role="status">
      <Stack gap="xs">
        <Text size="sm">
          Put it on the device now. It is kept nowhere: who loses it makes a new one. In a file of the device, only its
          owner should be able to read it.
        </Text>
        <Code block>
          <Foreign>{credential.secret}</Foreign>
        </Code>
        <Group>
          <CopyButton text={credential.secret}>Copy the secret</CopyButton>
        </Group>
      </Stack>
    </Alert>
  )
}
