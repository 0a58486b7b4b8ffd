import { UnstyledButton } from '@mantine/core'
import type { Search } from '@/shared/api/types'
import { plural, stamp, timeZone } from '@/shared/ui/format'
import { isLive } from './useSearch'
import css from './OtherTimes.module.css'

interface Props {
  search: Search
  show: (from: string, to: string) => void
}

/** What was found and is not in the list, since it is of other times than were asked for. */
export function OtherTimes({ search, show }: Props) {
  const { others } = search
  if (!others) {
    return null
  }
  const what = plural(others.count, search.mail ? 'more mail' : 'more record')
  const span =
    others.earliest === others.latest
      ? `another time, ${stamp(others.earliest)}, ${timeZone()}`
      : `other times, ${stamp(others.earliest)} to ${stamp(others.latest)}, ${timeZone()}`
  return (
    <p className={css.note} data-others={others.count}>
      {what} {others.count === 1 ? 'is' : 'are'} of {span}
      {isLive(search) ? '.' : ': '}
      {!isLive(search) && (
        <UnstyledButton className={css.show} onClick={() => show(...spanWith(search))}>
          show {others.count === 1 ? 'it' : 'them'}
        </UnstyledButton>
      )}
    </p>
  )
}

/** From the first to behind the last of both, what was asked for and what lies beside it. */
export function spanWith({ from, to, others }: Search): [string, string] {
  const given = (iso: string | undefined) => (iso === undefined ? [] : [Date.parse(iso)])
  const begin = Math.min(...given(from), ...given(others?.earliest))
  const end = Math.max(...given(to), ...given(others?.latest).map(last => last + 1))
  return [new Date(begin).toISOString(), new Date(end).toISOString()]
}
