import { useState } from 'react'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { ApiError } from '@/shared/api/problem'
import type { Rule, Rules } from '@/shared/api/types'
import { takeDraft, useDraft } from '@/shared/auth/drafts'
import { Empty, Failure } from '@/shared/ui/States'
import { useAction } from '@/shared/ui/useAction'
import { RuleCard } from './RuleCard'
import { RuleDialog } from './RuleDialog'
import { unreachable } from './summary'
import css from './Rules.module.css'

interface Props {
  served: Rules
  keeper: boolean
  reload: () => Promise<unknown>
}

interface Edited {
  version: number
  rules: Rule[]
}

const NEW: Rule = { name: '', effect: 'allow', roles: ['auditor'] }

/** The list as it is being edited; nothing holds before it is saved as a whole. */
export function RuleList({ served, keeper, reload }: Props) {
  const [edited, setEdited] = useState<Edited | undefined>(() => takeDraft<Edited>('rules'))
  const [editing, setEditing] = useState<number>()
  const client = useQueryClient()
  useDraft('rules', edited)
  const rules = edited?.rules ?? served.rules
  const change = (next: Rule[]) => setEdited({ version: edited?.version ?? served.version, rules: next })
  const save = useAction({
    run: (list: Edited) => take(api.PUT('/api/rules', { body: list })),
    said: () => 'The rules are saved and hold from now on',
    then: saved => {
      client.setQueryData(['rules'], saved)
      setEdited(undefined)
    },
  })
  const discard = () => {
    setEdited(undefined)
    save.reset()
    void reload()
  }
  const unreached = unreachable(rules)
  return (
    <>
      {edited && <Unsaved busy={save.isPending} save={() => save.mutate(edited)} discard={discard} />}
      {save.error && <SaveFailure error={save.error} load={discard} />}
      {rules.length === 0 ? (
        <Empty title="There are no rules">So every search is refused.</Empty>
      ) : (
        <ol className={css.list}>
          {rules.map((rule, i) => (
            <RuleCard
              key={`${i}-${rule.name}`}
              place={i}
              rule={rule}
              last={i === rules.length - 1}
              unreached={unreached.has(i)}
              tools={
                keeper && {
                  edit: () => setEditing(i),
                  remove: () => change(rules.filter((_, at) => at !== i)),
                  move: step => change(swapped(rules, i, i + step)),
                }
              }
            />
          ))}
        </ol>
      )}
      <Text size="sm" c="dimmed" className={css.otherwise}>
        Otherwise: refused.
      </Text>
      {keeper && (
        <Button mt="md" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEditing(rules.length)}>
          Add a rule
        </Button>
      )}
      {editing !== undefined && (
        <RuleDialog
          rule={rules[editing] ?? NEW}
          others={rules.filter((_, i) => i !== editing).map(rule => rule.name)}
          close={() => setEditing(undefined)}
          put={rule => {
            change([...rules.slice(0, editing), rule, ...rules.slice(editing + 1)])
            setEditing(undefined)
          }}
        />
      )}
    </>
  )
}

export function swapped<T>(list: readonly T[], a: number, b: number): T[] {
  const next = [...list]
  const [x, y] = [next[a], next[b]]
  if (x !== undefined && y !== undefined) {
    next[a] = y
    next[b] = x
  }
  return next
}

function Unsaved({ busy, save, discard }: { busy: boolean; save: () => void; discard: () => void }) {
  return (
    <div className={css.unsaved} role="status">
      <Text size="sm" fw={600}>
        Not saved yet: the old rules still hold.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={discard}>
          Discard
        </Button>
        <Button size="xs" loading={busy} onClick={save}>
          Save all rules
        </Button>
      </Group>
    </div>
  )
}

function SaveFailure({ error, load }: { error: unknown; load: () => void }) {
  if (error instanceof ApiError && error.status === 409) {
    return (
      <Alert role="alert" color="yellow" title="Somebody else has changed the rules meanwhile" mb="md">
        <Text size="sm">
          {error.detail} Yours are still below and were not saved. Note what you changed, load the rules that are there
          now, and change those.
        </Text>
        <Button size="xs" variant="default" mt="sm" onClick={load}>
          Load the present rules, drop mine
        </Button>
      </Alert>
    )
  }
  return (
    <div className={css.failure}>
      <Failure error={error} />
    </div>
  )
}
