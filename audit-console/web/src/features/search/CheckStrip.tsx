import { useState, type ReactNode } from 'react'
import { Anchor, Collapse, Loader, TextInput, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconCircleCheck, IconForbid2, IconUserQuestion } from '@tabler/icons-react'
import { Link } from 'react-router'
import { explain } from '@/shared/api/problem'
import type { Decision, QueryCheck } from '@/shared/api/types'
import { plural } from '@/shared/ui/format'
import { Instead, Warnings } from '@/shared/ui/QueryHints'
import { QueryTerms } from '@/shared/ui/QueryTerms'
import { visible } from '@/shared/ui/visible'
import type { Check } from './useCheck'
import css from './CheckStrip.module.css'

interface Props {
  id: string
  check: Check
  setQuery: (query: string) => void
  reason: string
  setReason: (reason: string) => void
}

/** Below the query: whether it may be asked, how it is understood or what to write instead, what it costs, and what the gateway would learn; of what stands in the bar now, and of no older text. Its lines are always there, so that little moves. */
export function CheckStrip({ id, check, setQuery, reason, setReason }: Props) {
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(reason !== '')
  const { current, error, waiting } = check
  const wrong = current?.errors[0]
  const decided = current?.errors.length === 0 ? current : undefined
  const approval = decided?.decision?.outcome === 'needs-approval' && !decided.decision.approval
  return (
    <div className={css.strip}>
      <div className={css.line} id={id} aria-live="polite">
        <Verdict current={current} error={error} waiting={waiting} />
        {decided && <Cost check={decided} />}
        {decided && decided.leakage.length > 0 && (
          <UnstyledButton className={css.more} aria-expanded={open} onClick={() => setOpen(o => !o)}>
            What the gateway learns
            <IconChevronDown size={14} className={open ? css.up : undefined} aria-hidden />
          </UnstyledButton>
        )}
        {decided?.decision && decided.decision.outcome !== 'refused' && !approval && !asked && (
          <UnstyledButton className={css.more} onClick={() => setAsked(true)}>
            Add a reason
          </UnstyledButton>
        )}
      </div>
      <div className={css.understood}>
        {wrong && !error && <Instead of={wrong} take={setQuery} />}
        {decided && <QueryTerms terms={decided.terms ?? []} notes={decided.notes} />}
      </div>
      {decided && <Warnings warnings={decided.warnings} take={setQuery} />}
      {decided && decided.decision?.outcome !== 'refused' && <NotSearched sentences={decided.notSearched ?? []} />}
      {decided && approval && <Reason value={reason} onChange={setReason} needed />}
      {decided?.decision && decided.decision.outcome !== 'refused' && !approval && asked && (
        <Reason value={reason} onChange={setReason} />
      )}
      {decided && (
        <Collapse expanded={open}>
          <Leakage sentences={decided.leakage} />
        </Collapse>
      )}
    </div>
  )
}

function Verdict({ current, error, waiting }: { current: QueryCheck | undefined; error: unknown; waiting: boolean }) {
  if (error) {
    const { title, todo } = explain(error)
    return (
      <Said kind="bad" icon={<IconAlertTriangle size={16} />}>
        The query could not be checked: {title}. {todo}
      </Said>
    )
  }
  const first = current?.errors[0]
  if (first) {
    return (
      <Said kind="bad" icon={<IconAlertTriangle size={16} />}>
        {first.at === undefined ? '' : `Character ${first.at + 1}: `}
        {visible(first.message)}
      </Said>
    )
  }
  if (current?.decision) {
    return <Decided decision={current.decision} />
  }
  return waiting ? (
    <span className={css.dim} data-verdict="waiting" aria-hidden="true">
      <Loader size={12} mr={8} />
      Checking the query
    </span>
  ) : (
    <span className={css.dim}>Type what to look for. Nothing is asked of the gateway until you search.</span>
  )
}

function Decided({ decision }: { decision: Decision }) {
  const rule = decision.rule ? ` (rule “${visible(decision.rule)}”)` : ''
  switch (decision.outcome) {
    case 'allowed':
      return (
        <Said kind="good" icon={<IconCircleCheck size={16} />}>
          {decision.approval ? 'Approved by a second person' : 'Allowed'}
          {rule}
        </Said>
      )
    case 'needs-approval':
      return decision.approval ? (
        <Said kind="good" icon={<IconCircleCheck size={16} />}>
          Approved by a second person{rule}
        </Said>
      ) : (
        <Said kind="wait" icon={<IconUserQuestion size={16} />}>
          A second person must approve{rule}: {visible(decision.reason)}
        </Said>
      )
    case 'refused':
      return (
        <Said kind="bad" icon={<IconForbid2 size={16} />}>
          Refused{rule}: {visible(decision.reason)}
        </Said>
      )
  }
}

function Said({ kind, icon, children }: { kind: 'good' | 'bad' | 'wait'; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={`${css.said} ${css[kind]}`} data-verdict={kind}>
      {icon}
      <span>{children}</span>
    </span>
  )
}

/** Index keys that the user's attributes do not search: what is under them is missing among the hits. */
function NotSearched({ sentences }: { sentences: readonly string[] }) {
  return sentences.map(sentence => (
    <div key={sentence} className={css.wait}>
      Not searched: {sentence}
    </div>
  ))
}

function Cost({ check }: { check: QueryCheck }) {
  return (
    <span className={css.dim}>
      {plural(check.trapdoors, 'trapdoor')}
      {' · '}
      {check.epochs.length === 1 ? 'epoch' : plural(check.epochs.length, 'epoch')} {visible(epochs(check.epochs))}
    </span>
  )
}

const epochs = (names: string[]): string => (names.length > 3 ? `${names[0]} … ${names.at(-1)}` : names.join(', '))

function Reason({ needed, value, onChange }: { needed?: boolean; value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      className={css.reason}
      size="xs"
      label={needed ? 'Why do you need this? The approver reads it' : 'Reason, for the log'}
      required={needed}
      maxLength={1000}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

export function Leakage({ sentences }: { sentences: readonly string[] }) {
  return (
    <div className={css.leakage}>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Anchor component={Link} to="/leakage" size="sm">
        What this means, in plain words
      </Anchor>
    </div>
  )
}
