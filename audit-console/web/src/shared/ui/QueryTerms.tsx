import type { QueryTerm } from '@/shared/api/types'
import { visible } from './visible'
import css from './QueryTerms.module.css'

interface Props {
  terms: readonly QueryTerm[]
  notes: readonly string[]
  /** Shows all of it, however long: for who decides by it. Otherwise it scrolls, so that little moves. */
  whole?: boolean
}

/** How the server understands a query: the words that are searched, in which fields, and what joins them. */
export function QueryTerms({ terms, notes, whole = false }: Props) {
  return (
    <div
      className={whole ? `${css.terms} ${css.whole}` : css.terms}
      role="group"
      aria-label="How the query is understood"
    >
      {terms.length > 0 && <span className={css.label}>Searched:</span>}
      {terms.map((term, i) => (
        <Term key={i} term={term} />
      ))}
      {notes.map(note => (
        <span key={note} className={css.note}>
          {visible(note)}
        </span>
      ))}
    </div>
  )
}

function Term({ term: { kind, field, text } }: { term: QueryTerm }) {
  switch (kind) {
    case 'term':
      return (
        <span className={css.term}>
          <bdi className={css.field}>{visible(field)}</bdi> <bdi className={css.value}>{visible(text)}</bdi>
        </span>
      )
    case 'operator':
      return <span className={css.operator}>{visible(text)}</span>
    case 'bracket':
      return <span>{visible(text)}</span>
    case 'more':
      return <span className={css.label}>and {visible(text)} more terms</span>
  }
}
