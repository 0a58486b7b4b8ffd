import { useState } from 'react'
import { NumberInput, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, take, takeWithStatus } from '@/shared/api/client'
import type { NewRoute, Query, QueryCheck, Route } from '@/shared/api/types'
import { CopyIcon } from '@/shared/ui/Copy'
import { Dialog } from '@/shared/ui/Dialog'
import { Instead, Warnings } from '@/shared/ui/QueryHints'
import { QueryTerms } from '@/shared/ui/QueryTerms'
import { ScopePicker } from '@/shared/ui/ScopePicker'
import { useAction } from '@/shared/ui/useAction'
import { useScopes } from '@/shared/ui/useScopes'
import { visible } from '@/shared/ui/visible'
import { Foreign } from './Foreign'

const ACTIONS: { value: NewRoute['action']; label: string; target: string; example: string }[] = [
  { value: 'forward', label: 'Forward the sealed mail', target: 'Address', example: 'oncall@example.org' },
  { value: 'topic', label: 'Publish to a topic', target: 'Topic', example: 'alerts/plant-7' },
  { value: 'webhook', label: 'Call a webhook', target: 'Address, https', example: 'https://pager.example.org/hook' },
]

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** A standing route tests every new message: it is authorised as the search is, and may need a second person. Without a query it is asked for here. */
export function RouteDialog({ query, close }: { query?: Query; close: () => void }) {
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<Query>({ query: '', scope: '' })
  const [action, setAction] = useState<NewRoute['action']>('forward')
  const [target, setTarget] = useState('')
  const [epochs, setEpochs] = useState(1)
  const [reason, setReason] = useState('')
  const chosen = ACTIONS.find(({ value }) => value === action)
  const { from: _from, to: _to, ...always } = query ?? { ...typed, query: typed.query.trim() }
  const install = useInstall(close)
  const nameError =
    name !== '' && !NAME.test(name) ? 'Letters, digits, points, hyphens; the first a letter or digit' : undefined
  const check = useRouteCheck(always, query === undefined)
  const wrong = check?.errors[0]
  if (install.secret !== undefined) {
    return <RouteSecret name={name} secret={install.secret} close={close} />
  }
  const ready = !wrong && NAME.test(name) && target.trim() !== '' && always.query !== '' && always.scope !== ''
  return (
    <Dialog
      opened
      close={close}
      title={query ? 'Make it a standing route' : 'New route'}
      action="Install"
      disabled={!ready}
      busy={install.isPending}
      error={install.error}
      submit={() =>
        install.mutate({
          name,
          query: always,
          action,
          target: target.trim(),
          epochs,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        })
      }
    >
      {query ? (
        <Text size="sm">
          From now on the gateway tests each new message for{' '}
          <code>
            <Foreign>{query.query}</Foreign>
          </code>{' '}
          in <Foreign>{query.scope}</Foreign>
          {query.senders && query.senders.length > 0 && `, only from ${visible(query.senders.join(', '))}`}. So it
          learns which messages match as they come.
        </Text>
      ) : (
        <What query={typed} change={setTyped} error={wrong && visible(wrong.message)} />
      )}
      {!query && wrong && <Instead of={wrong} take={text => setTyped({ ...typed, query: text })} />}
      {!query && check && !wrong && (
        <>
          <QueryTerms terms={check.terms ?? []} notes={check.notes} />
          <Warnings warnings={check.warnings} take={text => setTyped({ ...typed, query: text })} />
        </>
      )}
      <TextInput
        label="Name"
        value={name}
        error={nameError}
        onChange={e => setName(e.currentTarget.value)}
        data-autofocus={query ? true : undefined}
      />
      <Select
        label="What happens then"
        data={ACTIONS.map(({ value, label }) => ({ value, label }))}
        value={action}
        allowDeselect={false}
        onChange={value => setAction(value ?? 'forward')}
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

/** How the query is understood, as far as who asks may know: what is not allowed, installing says. */
function useRouteCheck(asked: Query, typed: boolean): QueryCheck | undefined {
  const text = JSON.stringify(asked)
  const [settled] = useDebouncedValue(text, 300)
  const check = useQuery({
    queryKey: ['check', settled],
    queryFn: ({ signal }) => take(api.POST('/api/queries/check', { body: JSON.parse(settled) as Query, signal })),
    enabled: typed && asked.query !== '' && asked.scope !== '',
    staleTime: 60_000,
  })
  return settled === text ? check.data : undefined
}

/** What the gateway is to look for, of who has not searched for it. */
function What({ query, change, error }: { query: Query; change: (query: Query) => void; error?: string }) {
  const scopes = useScopes()
  return (
    <>
      <Text size="sm">
        The gateway tests each new message, without reading it, and does with those that match what is chosen here. So
        it learns which messages match as they come.
      </Text>
      <ScopePicker
        label="Where"
        scopes={scopes}
        value={query.scope}
        onChange={({ name, kind }) => change({ ...query, scope: name, mail: kind === 'mailbox' })}
      />
      <Textarea
        label="Query"
        description="As in a search: whole words, fields, AND, OR, NOT"
        placeholder={query.mail ? 'subject:urgent' : 'level:error AND overheated'}
        autosize
        minRows={1}
        maxLength={8192}
        spellCheck={false}
        value={query.query}
        error={error}
        onChange={e => change({ ...query, query: e.currentTarget.value })}
        data-autofocus
      />
    </>
  )
}

/** Asks for a route. If it is there now, its secret, if it has one, is to be shown; otherwise it is done with. */
export function useInstall(done: () => void) {
  const [secret, setSecret] = useState<string>()
  const action = useAction<NewRoute, { status: number; data: unknown }>({
    run: body => takeWithStatus(api.POST('/api/routes', { body })),
    changes: ['routes', 'approvals'],
    said: ({ status }, { name }) =>
      status === 202
        ? 'Asked: a second person must approve the route. It is installed on the page Approvals then'
        : `The route “${name}” is installed`,
    then: ({ data }) => {
      const made = data as Partial<Route>
      if (made.secret) {
        setSecret(made.secret)
      } else {
        done()
      }
    },
  })
  return { ...action, secret }
}

/** It is told once: whoever checks the webhook's calls needs it. */
export function RouteSecret({ name, secret, close }: { name: string; secret: string; close: () => void }) {
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
