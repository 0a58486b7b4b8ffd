import { ActionIcon, Badge, Button, Group, Text, type MantineColor } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Rule } from '@/shared/api/types'
import { goneRound, summary } from './summary'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'
import css from './Rules.module.css'

export interface Tools {
  edit: () => void
  remove: () => void
  move: (step: 1 | -1) => void
}

interface Props {
  place: number
  rule: Rule
  last: boolean
  unreached: boolean
  tools: Tools | false
}

export const EFFECTS: Record<Rule['effect'], { label: string; colour: MantineColor }> = {
  allow: { label: 'Allow', colour: 'green' },
  approve: { label: 'With approval', colour: 'yellow' },
  refuse: { label: 'Refuse', colour: 'red' },
}

export function RuleCard({ place, rule, last, unreached, tools }: Props) {
  const { label, colour } = EFFECTS[rule.effect]
  return (
    <li className={`card ${css.rule}`}>
      <span className={css.number} aria-hidden>
        {place + 1}
      </span>
      <div className={css.what}>
        <Group gap="xs">
          <strong>
            <Foreign>{rule.name}</Foreign>
          </strong>
          <Badge variant="light" color={colour} tt="none">
            {label}
          </Badge>
        </Group>
        <Text size="sm" mt={4}>
          <Foreign>{summary(rule)}</Foreign>
        </Text>
        {goneRound(rule) !== '' && (
          <Text size="sm" mt={4} className={css.goneRound}>
            {goneRound(rule)}
          </Text>
        )}
        {unreached && (
          <Text size="sm" mt={4} className={css.unreached}>
            Never reached: a rule above it fits everything.
          </Text>
        )}
      </div>
      {tools && (
        <Group gap={2} wrap="nowrap" className={css.tools}>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={place === 0}
            onClick={() => tools.move(-1)}
            aria-label={`Move ${visible(rule.name)} up`}
          >
            <IconArrowUp size={17} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={last}
            onClick={() => tools.move(1)}
            aria-label={`Move ${visible(rule.name)} down`}
          >
            <IconArrowDown size={17} />
          </ActionIcon>
          <Button size="compact-sm" variant="subtle" onClick={tools.edit} aria-label={`Edit ${visible(rule.name)}`}>
            Edit
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={tools.remove}
            aria-label={`Delete ${visible(rule.name)}`}
          >
            Delete
          </Button>
        </Group>
      )}
    </li>
  )
}
