import { Select } from '@mantine/core'
import { IconMail, IconServer2 } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { explain } from '@/shared/api/problem'
import type { Scope } from '@/shared/api/types'
import { visible } from './visible'

interface Props {
  scopes: UseQueryResult<Scope[]>
  value: string
  onChange: (scope: Scope) => void
  /** Shown above it; otherwise for screen readers only. */
  label?: string
}

const nameOf = (scope: Scope): string => visible(scope.owner ?? scope.name)

/** Where to search. A mailbox makes the query one of mails. */
export function ScopePicker({ scopes, value, onChange, label }: Props) {
  const all = scopes.data ?? []
  const of = (kind: Scope['kind']) =>
    all.filter(scope => scope.kind === kind).map(scope => ({ value: scope.name, label: nameOf(scope) }))
  const current = all.find(scope => scope.name === value)
  const groups = [
    { group: 'Logs', items: of('logs') },
    { group: 'Mailboxes', items: of('mailbox') },
  ].filter(group => group.items.length > 0)
  return (
    <Select
      label={label}
      aria-label={label ? undefined : 'Scope'}
      placeholder={scopes.isPending ? 'Scopes …' : scopes.error ? explain(scopes.error).title : 'Scope'}
      error={scopes.error ? explain(scopes.error).title : undefined}
      data={groups}
      value={value || null}
      allowDeselect={false}
      searchable={all.length > 8}
      maxDropdownHeight={320}
      nothingFoundMessage="No such scope"
      leftSection={
        current?.kind === 'mailbox' ? <IconMail size={16} stroke={1.6} /> : <IconServer2 size={16} stroke={1.6} />
      }
      onChange={name => {
        const scope = all.find(candidate => candidate.name === name)
        if (scope) {
          onChange(scope)
        }
      }}
    />
  )
}
