import { useState } from 'react'
import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { api, take } from '@/shared/api/client'
import { ApiError } from '@/shared/api/problem'
import type { MailUser, MailUsers, NewLink } from '@/shared/api/types'
import { CopyButton } from '@/shared/ui/Copy'
import { Dialog } from '@/shared/ui/Dialog'
import { DialogFooter } from '@/shared/ui/DialogFooter'
import { Foreign } from '@/shared/ui/Foreign'
import { Exact } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'

const KEYS = [
  { value: 'rsa-3072', label: 'RSA, 3072 bits: every mail program opens it' },
  { value: 'rsa-4096', label: 'RSA, 4096 bits' },
  { value: 'p256', label: 'P-256' },
  { value: 'p384', label: 'P-384' },
] as const

type KeyKind = (typeof KEYS)[number]['value']

interface Props {
  /** Somebody who was enrolled before. */
  user?: MailUser
  servers: MailUsers | undefined
  close: () => void
}

/** Enrols, and then shows the link and the passphrase this once. */
export function EnrolDialog({ user, servers, close }: Props) {
  const [made, setMade] = useState<NewLink>()
  return made ? (
    <Given link={made} close={close} />
  ) : (
    <Wanted user={user} servers={servers} close={close} then={setMade} />
  )
}

function Wanted({ user, servers, close, then }: Props & { then: (made: NewLink) => void }) {
  const [address, setAddress] = useState(user?.address ?? '')
  const [imap, setImap] = useState(servers?.imap ?? '')
  const [smtp, setSmtp] = useState(servers?.smtp ?? '')
  const [more, setMore] = useState(false)
  const [scope, setScope] = useState(user?.scope ?? '')
  const [key, setKey] = useState<KeyKind>('rsa-3072')
  const [request, setRequest] = useState('')
  const [anyDomain, setAnyDomain] = useState(false)
  const renew = user?.certificate !== undefined
  const enrol = useAction({
    run: () => {
      const own = request.trim()
      const body = {
        address: address.trim(),
        imap: imap.trim(),
        smtp: smtp.trim(),
        scope: scope.trim(),
        renew,
        anyDomain,
        ...(own ? { request: own } : { key }),
      }
      return take(api.POST('/api/mail-users/enrol', { body }))
    },
    changes: ['mail-users'],
    then,
  })
  const isForeign = enrol.error instanceof ApiError && enrol.error.type === 'foreign-domain'
  return (
    <Dialog
      opened
      close={close}
      title={renew ? `Renew the certificate of ${user.address}` : 'Enrol a user'}
      action={renew ? 'Renew' : 'Enrol'}
      disabled={!address.trim()}
      busy={enrol.isPending}
      error={enrol.error}
      submit={() => enrol.mutate()}
    >
      <TextInput
        label="Address"
        required
        readOnly={user !== undefined}
        maxLength={254}
        placeholder="ada@acme.example"
        value={address}
        onChange={e => setAddress(e.currentTarget.value)}
        data-autofocus={user ? undefined : true}
      />
      {renew && (
        <Text size="sm" c="dimmed">
          Mail is sealed for the present certificate until the new link is used. The former key goes on opening what was
          sealed for it.
        </Text>
      )}
      <Group grow align="flex-start">
        <TextInput
          label="Reads by (IMAP)"
          description="host:port, for the next user, too"
          value={imap}
          onChange={e => setImap(e.currentTarget.value)}
        />
        <TextInput
          label="Sends by (mail proxy)"
          description="host:port, for the next user, too"
          value={smtp}
          onChange={e => setSmtp(e.currentTarget.value)}
        />
      </Group>
      {(isForeign || anyDomain) && (
        <Checkbox
          label="I mean this domain"
          description="Mail of another domain is sealed for the user too."
          checked={anyDomain}
          onChange={e => setAnyDomain(e.currentTarget.checked)}
        />
      )}
      {more ? (
        <>
          <TextInput
            label="Scope"
            description="What an auditor of this mailbox is granted; mailbox-ADDRESS unless given"
            maxLength={255}
            value={scope}
            onChange={e => setScope(e.currentTarget.value)}
          />
          <Select
            label="Key"
            data={KEYS.map(each => ({ ...each }))}
            value={key}
            allowDeselect={false}
            disabled={request.trim() !== ''}
            onChange={value => setKey(value ?? 'rsa-3072')}
          />
          <Textarea
            label="Certificate request of the user (PKCS #10, PEM)"
            description="Of a user who makes the key, which nobody else ever has then"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={65536}
            value={request}
            onChange={e => setRequest(e.currentTarget.value)}
          />
        </>
      ) : (
        <Anchor component="button" type="button" size="sm" onClick={() => setMore(true)}>
          Scope, kind of key, a user’s own key
        </Anchor>
      )}
    </Dialog>
  )
}

function Given({ link, close }: { link: NewLink; close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      title={
        <span className="dialog-title">
          Give <Foreign>{link.address}</Foreign> two things, on two ways
        </span>
      }
      size={600}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Part title="The link" copy="Copy the link" text={link.link}>
          It works once, in one browser, until <Exact at={link.expires} />. Mail is sealed for the user once it was
          used. This page shows when that was; if it was somebody else, take the certificate back.
        </Part>
        {link.passphrase ? (
          <Part title="The passphrase" copy="Copy the passphrase" text={link.passphrase}>
            Tell it another way than the link, such as by telephone. Who has both reads the user’s mail.
          </Part>
        ) : (
          <Text size="sm">There is no passphrase: the user made the key.</Text>
        )}
        <Alert color="yellow" role="status" title="Shown this once">
          Both are kept nowhere. Who loses one of them gets a new link.
        </Alert>
        <DialogFooter>
          <Button onClick={close}>Done</Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

function Part({
  title,
  copy,
  text,
  children,
}: {
  title: string
  copy: string
  text: string
  children: React.ReactNode
}) {
  return (
    <Stack gap={6} role="group" aria-label={title}>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <Group>
        <CopyButton text={text}>{copy}</CopyButton>
      </Group>
    </Stack>
  )
}
