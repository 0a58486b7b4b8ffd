import { useId, type Ref } from 'react'
import { Button, CloseButton, Pill } from '@mantine/core'
import { IconPlayerStopFilled, IconSearch, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { CheckStrip } from './CheckStrip'
import type { Draft } from './draft'
import { QueryEditor, type EditorHandle } from './QueryEditor'
import { ScopePicker } from '@/shared/ui/ScopePicker'
import { SignerPicker } from './SignerPicker'
import { SyntaxHelp } from './SyntaxHelp'
import { TimePicker } from './TimePicker'
import { useScopes } from '@/shared/ui/useScopes'
import type { Check } from './useCheck'
import css from './SearchBar.module.css'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  check: Check
  live: boolean
  busy: boolean
  search: () => void
  stop: () => void
  escape: () => void
  editor: Ref<EditorHandle>
}

/** Scope, query, time, and what would come of it. */
export function SearchBar({ draft, change, check, live, busy, search, stop, escape, editor }: Props) {
  const described = useId()
  const scopes = useScopes()
  const fields = useQuery({ queryKey: ['fields'], queryFn: () => take(api.GET('/api/fields')), staleTime: 300_000 })
  const errors = check.current?.errors ?? []
  return (
    <div className={css.bar} role="search">
      <div className={css.row}>
        <div className={css.scope}>
          <ScopePicker
            scopes={scopes}
            value={draft.scope}
            onChange={scope => change({ scope: scope.name, mail: scope.kind === 'mailbox' })}
          />
        </div>
        <QueryEditor
          value={draft.query}
          onChange={query => change({ query })}
          onSubmit={search}
          onEscape={escape}
          fields={fields.data ?? []}
          mail={draft.mail}
          errors={errors}
          describedBy={described}
          handle={editor}
        />
        <div className={css.tools}>
          <SyntaxHelp />
          {draft.mail && <SignerPicker value={draft.signed} onChange={signed => change({ signed })} />}
          <TimePicker value={draft.time} onChange={time => change({ time })} />
          {live ? (
            <Button
              color="red"
              variant="light"
              onClick={stop}
              leftSection={<IconPlayerStopFilled size={15} />}
              className={css.go}
            >
              Stop
            </Button>
          ) : (
            <Go check={check} reason={draft.reason} busy={busy} search={search} />
          )}
        </div>
      </div>
      {draft.senders.length > 0 && (
        <div className={css.senders}>
          Only from
          {draft.senders.map(sender => (
            <Pill
              key={sender}
              withRemoveButton
              removeButtonProps={{ 'aria-label': `Do not limit to ${sender}` }}
              onRemove={() => change({ senders: draft.senders.filter(other => other !== sender) })}
            >
              {sender}
            </Pill>
          ))}
          <CloseButton size="xs" aria-label="From all senders" onClick={() => change({ senders: [] })} />
        </div>
      )}
      <CheckStrip
        id={described}
        check={check}
        setQuery={query => change({ query })}
        reason={draft.reason}
        setReason={reason => change({ reason })}
      />
    </div>
  )
}

function Go({ check, reason, busy, search }: { check: Check; reason: string; busy: boolean; search: () => void }) {
  const ask = mustAsk(check)
  return (
    <Button
      onClick={search}
      loading={busy}
      disabled={!canSearch(check, reason)}
      leftSection={ask ? <IconSend size={16} /> : <IconSearch size={16} />}
      className={css.go}
    >
      {ask ? 'Ask' : 'Search'}
    </Button>
  )
}

const mustAsk = ({ current }: Check): boolean =>
  current?.decision?.outcome === 'needs-approval' && !current.decision.approval

/** Where the check itself failed the server is asked all the same: it decides, and says what is wrong. */
export function canSearch(check: Check, reason: string): boolean {
  if (check.current) {
    const refused = check.current.errors.length > 0 || check.current.decision?.outcome === 'refused'
    return !refused && !(mustAsk(check) && reason.trim() === '')
  }
  return check.waiting || Boolean(check.error)
}
