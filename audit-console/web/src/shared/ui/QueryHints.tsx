import { UnstyledButton } from '@mantine/core'
import type { QueryError } from '@/shared/api/types'
import { visible } from './visible'
import { Foreign } from './Foreign'
import css from './QueryTerms.module.css'

interface SuggestionsProps {
  of: QueryError
  take: (query: string) => void
}

/** What may have been meant, each to be taken by a click. */
export function Suggestions({ of, take }: SuggestionsProps) {
  return of.suggestions.map((suggestion, i) => (
    <span key={suggestion}>
      {i === 0 ? 'Write' : 'or'}{' '}
      <UnstyledButton
        className={css.suggestion}
        aria-label={`Write ${visible(suggestion)}`}
        onClick={() => take(suggestion)}
      >
        <code>
          <Foreign>{suggestion}</Foreign>
        </code>
      </UnstyledButton>
    </span>
  ))
}

interface WarningsProps {
  warnings: readonly QueryError[]
  take: (query: string) => void
}

/** What is searched as it stands and was probably meant otherwise. */
export function Warnings({ warnings, take }: WarningsProps) {
  return warnings.map(warning => (
    <div key={`${warning.at}`} className={css.hints} role="note" aria-label="Perhaps a mistake">
      <span className={css.warning}>
        {warning.at === undefined ? '' : `Character ${warning.at + 1}: `}
        <Foreign>{warning.message}</Foreign>
      </span>
      <Suggestions of={warning} take={take} />
    </div>
  ))
}

/** An error's suggestions on a line of their own. */
export function Instead({ of, take }: SuggestionsProps) {
  return of.suggestions.length === 0 ? null : (
    <div className={css.hints} role="group" aria-label="What to write">
      <Suggestions of={of} take={take} />
    </div>
  )
}
