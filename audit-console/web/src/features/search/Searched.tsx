import type { Search } from '@/shared/api/types'
import { timeZone, toMinute } from '@/shared/ui/format'
import { signersList } from '@/shared/ui/signers'
import { visible } from '@/shared/ui/visible'
import css from './Searched.module.css'

/** What the results beneath it are of: the search itself, whatever stands in the bar by now. */
export function Searched({ search }: { search: Search }) {
  return (
    <section className={css.searched} aria-label="What was searched">
      <code className={css.query}>
        <bdi>{visible(search.query)}</bdi>
      </code>
      <span>in {visible(search.scope)}</span>
      <span>{timeOf(search)}</span>
      {search.signed && search.signed.length > 0 && <span>only signed by {signersList(search.signed)}</span>}
      {search.senders && search.senders.length > 0 && <span>only from {search.senders.map(visible).join(', ')}</span>}
    </section>
  )
}

export function timeOf({ from, to }: Pick<Search, 'from' | 'to'>): string {
  if (from && to) {
    return `${toMinute(from)} to ${toMinute(to)}, ${timeZone()}`
  }
  return from
    ? `since ${toMinute(from)}, ${timeZone()}`
    : to
      ? `until ${toMinute(to)}, ${timeZone()}`
      : 'all of the epoch'
}
