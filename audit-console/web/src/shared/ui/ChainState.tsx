import { Badge, type MantineColor } from '@mantine/core'
import type { SenderState as State } from '../api/types'

const LOOKS: Record<State, { label: string; colour: MantineColor; meaning: string }> = {
  complete: { label: 'Complete', colour: 'green', meaning: 'Nothing is missing, repeated or altered.' },
  gaps: { label: 'Gaps', colour: 'red', meaning: 'Numbers are missing, repeated or altered.' },
  unregistered: {
    label: 'Not registered',
    colour: 'gray',
    meaning: 'It does not sign: nothing can be said about what is missing.',
  },
  silent: { label: 'Silent', colour: 'yellow', meaning: 'It promised to report and has not.' },
  unknown: { label: 'Unknown', colour: 'gray', meaning: 'The gateway has not seen it yet.' },
}

export const CHAIN_STATES = Object.keys(LOOKS) as State[]

export const chainLabel = (state: State): string => LOOKS[state].label

export const chainMeaning = (state: State): string => LOOKS[state].meaning

export function ChainState({ state }: { state: State }) {
  const { label, colour } = LOOKS[state]
  return (
    <Badge variant="light" color={colour} tt="none">
      {label}
    </Badge>
  )
}
