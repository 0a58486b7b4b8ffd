import { useState } from 'react'
import { Alert, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { KeywordRules, KeywordRulesPreview } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { Foreign } from '@/shared/ui/Foreign'
import { Failure, Loading } from '@/shared/ui/States'
import { useAction } from '@/shared/ui/useAction'
import { visible } from '@/shared/ui/visible'
import { changeOf, formOf, type RulesForm } from './rulesForm'
import { Sentences } from './Sentences'

/** Asks what is to change, says in words what that does, and only then changes it. */
export function RulesDialog({ rules, close }: { rules: KeywordRules; close: () => void }) {
  const [form, setForm] = useState(() => formOf(rules))
  const [preview, setPreview] = useState<KeywordRulesPreview>()
  const body = changeOf(form, rules)
  const look = useAction({
    run: () => take(api.POST('/api/keys/rules/preview', { body })),
    then: seen => setPreview(seen),
  })
  const change = useAction({
    run: () => take(api.POST('/api/keys/rules', { body })),
    changes: ['keys', 'senders', 'routes'],
    said: () => 'The rules of keywords are changed, and a new bundle is signed',
    then: close,
  })
  return preview ? (
    <Dialog
      opened
      close={close}
      title="Change the rules of keywords?"
      action="Change"
      color="red"
      disabled={!preview.change}
      busy={change.isPending}
      error={change.error}
      submit={() => change.mutate()}
      size={640}
    >
      {preview.change ? (
        <Consequences preview={preview} givesUp={Boolean(body.aloneFrom)} />
      ) : (
        <Text size="sm">It is so already: nothing would change.</Text>
      )}
      <Button variant="subtle" size="compact-sm" onClick={() => setPreview(undefined)} style={{ alignSelf: 'start' }}>
        Back
      </Button>
    </Dialog>
  ) : (
    <Dialog
      opened
      close={close}
      title={rules.next ? 'Change the rules of keywords' : 'Use rules 2 of keywords'}
      action="See what it does"
      disabled={Object.keys(body).length === 0}
      busy={look.isPending}
      error={look.error}
      submit={() => look.mutate()}
      size={640}
    >
      <Fields rules={rules} form={form} set={part => setForm({ ...form, ...part })} />
    </Dialog>
  )
}

function Consequences({ preview, givesUp }: { preview: KeywordRulesPreview; givesUp: boolean }) {
  return (
    <>
      <Sentences of={preview.situation} />
      {givesUp && <ByRules1 />}
      {preview.notes.map(note => (
        <Text key={note} size="sm" c="dimmed">
          <Foreign>{note}</Foreign>
        </Text>
      ))}
    </>
  )
}

/** Who would be refused, as the gateway last saw them. */
function ByRules1() {
  const seen = useQuery({ queryKey: ['senders', 'rules'], queryFn: () => take(api.GET('/api/senders/rules')) })
  if (seen.isPending) {
    return <Loading rows={1} label="Asking the gateway who makes keywords by rules 1" />
  }
  if (seen.error) {
    return <Failure error={seen.error} />
  }
  const former = seen.data.senders.filter(
    ({ former: at, later }) => at !== undefined && (later === undefined || Date.parse(at) > Date.parse(later)),
  )
  return former.length === 0 ? (
    <Text size="sm">The gateway saw nobody whose last keywords are by rules 1.</Text>
  ) : (
    <Alert color="yellow" title="Last seen to make keywords by rules 1">
      <Foreign>{former.map(({ name }) => name || 'mail that no sender signed')}</Foreign>
      <Text size="sm" mt={4}>
        What they send is refused from that epoch on, unless they are updated and have the bundle before.
      </Text>
    </Alert>
  )
}

function Fields({
  rules,
  form,
  set,
}: {
  rules: KeywordRules
  form: RulesForm
  set: (part: Partial<RulesForm>) => void
}) {
  const text = (name: TextPart, label: string, description?: string, disabled = false) => (
    <TextInput
      label={label}
      description={description}
      value={form[name]}
      disabled={disabled || form.withdraw}
      maxLength={4096}
      spellCheck={false}
      autoComplete="off"
      onChange={event => set({ [name]: event.currentTarget.value })}
    />
  )
  const used = rules.next?.used ?? false
  return (
    <>
      <Text size="sm">
        Rules 2 find more in logs: lines that containers wrap, and many more formats by their fields. Senders that know
        them use them from the first epoch on, all others go on by rules 1; searches ask both.
      </Text>
      {text(
        'from',
        'First epoch',
        used ? 'It has begun, and stays as it is' : `Such as ${visible(rules.nextEpoch)}, the next to begin`,
        used,
      )}
      {text('aloneFrom', 'Rules 1 are refused from epoch', 'Empty as long as somebody makes keywords by rules 1')}
      {rules.profile && (
        <Stack component="details" gap="xs">
          <Text component="summary" size="sm">
            What senders extract
          </Text>
          {used && (
            <Text size="sm" c="dimmed">
              The profile is in use: something can be added to it, and nothing taken out.
            </Text>
          )}
          {text('ipPrefixes', 'Networks', 'Bits, such as 8, 16, 24, ::/48')}
          {text('fields', 'Fields of plain text', 'Keys of key=value, with commas between')}
          {text('numeric', 'Numeric fields', 'Such as temperature=-50..200')}
          {text('wordPrefixes', 'Beginnings of words', 'Their lengths, such as 3..8')}
          {text('stems', 'Languages of stems', 'Such as de, en; empty: as detected')}
          <Checkbox
            label="Name the kind of each log message"
            checked={form.templates}
            disabled={form.withdraw}
            onChange={event => set({ templates: event.currentTarget.checked })}
          />
        </Stack>
      )}
      {rules.next && !used && (
        <Checkbox
          label="Take the later rules away"
          description="Possible until their first epoch begins"
          checked={form.withdraw}
          onChange={event => set({ withdraw: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

type TextPart = Exclude<keyof RulesForm, 'templates' | 'withdraw'>
