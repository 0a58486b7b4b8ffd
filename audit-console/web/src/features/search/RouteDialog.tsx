import { useState } from 'react'
import { NumberInput, Select, Text, Textarea, TextInput } from '@mantine/core'
import { api, takeWithStatus } from '@/shared/api/client'
import type { NewRoute, Query, Route } from '@/shared/api/types'
import { CopyIcon } from '@/shared/ui/Copy'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'

const ACTIONS: { value: NewRoute['action']; label: string; target: string; example: string }[] = [
  { value: 'forward', label: 'Forward the sealed mail', target: 'Address', example: 'oncall@example.org' },
  { value: 'topic', label: 'Publish to a topic', target: 'Topic', example: 'alerts/plant-7' },
  { value: 'webhook', label: 'Call a webhook', target: 'Address, https', example: 'https://pager.example.org/hook' },
]

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** A standing route tests every new message: it is authorised as the search is, and may need a second person. */
export function RouteDialog({ query, close }: { query: Query; close: () => void }) {
  const [name, setName] = useState('')
  const [action, setAction] = useState<NewRoute['action']>('forward')
  const [target, setTarget] = useState('')
  const [epochs, setEpochs] = useState(1)
  const [reason, setReason] = useState('')
  const [secret, setSecret] = useState<string>()
  const chosen = ACTIONS.find(({ value }) => value === action)
  const { from: _from, to: _to, ...always } = query
  const install = useAction({
    run: () =>
      takeWithStatus(
        api.POST('/api/routes', {
          body: {
            name,
            query: always,
            action,
            target: target.trim(),
            epochs,
            ...(reason.trim() !== '' && { reason: reason.trim() }),
          },
        }),
      ),
    changes: ['routes', 'approvals'],
    said: ({ status }) =>
      status === 202 ? 'Asked: a second person must approve the route' : `The route “${name}” is installed`,
    then: ({ data }) => {
      const made = data as Partial<Route>
      if (made.secret) {
        setSecret(made.secret)
      } else {
        close()
      }
    },
  })
  const nameError =
    name !== '' && !NAME.test(name) ? 'Letters, digits, points, hyphens; the first a letter or digit' : undefined
  if (secret !== undefined) {
    return <Secret name={name} secret={secret} close={close} />
  }
  return (
    <Dialog
      opened
      close={close}
      title="Make it a standing route"
      action="Install"
      disabled={!NAME.test(name) || target.trim() === ''}
      busy={install.isPending}
      error={install.error}
      submit={() => install.mutate()}
    >
      <Text size="sm">
        From now on the gateway tests each new message for <code>{query.query}</code> in {query.scope}. So it learns
        which messages match as they come.
      </Text>
      <TextInput
        label="Name"
        value={name}
        error={nameError}
        onChange={e => setName(e.currentTarget.value)}
        data-autofocus
      />
      <Select
        label="What happens then"
        data={ACTIONS.map(({ value, label }) => ({ value, label }))}
        value={action}
        allowDeselect={false}
        onChange={value => setAction((value ?? 'forward') as NewRoute['action'])}
      />
      <TextInput
        label={chosen?.target}
        placeholder={chosen?.example}
        value={target}
        onChange={e => setTarget(e.currentTarget.value)}
        maxLength={1000}
      />
      <NumberInput
        label="Epochs"
        description="The present one and those behind it; after them the route ends"
        min={1}
        max={24}
        value={epochs}
        onChange={value => setEpochs(Number(value) || 1)}
      />
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

/** It is told once: whoever checks the webhook's calls needs it. */
function Secret({ name, secret, close }: { name: string; secret: string; close: () => void }) {
  return (
    <Dialog opened close={close} title={`The route “${name}” is installed`} action="I have kept it" submit={close}>
      <Text size="sm">
        The gateway signs each call of the webhook with this secret. Keep it where the calls are checked: it is shown
        now and never again.
      </Text>
      <Text component="div" className="mono">
        <code>{secret}</code> <CopyIcon text={secret} what="the secret" />
      </Text>
    </Dialog>
  )
}
