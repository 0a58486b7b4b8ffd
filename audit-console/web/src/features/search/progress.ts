import type { Search } from '@/shared/api/types'
import { count, duration, plural } from '@/shared/ui/format'

export interface Standing {
  tone: 'live' | 'good' | 'warn' | 'bad'
  title: string
  /** What a reader must know before she concludes anything from the rows. */
  caution?: string
}

/** What the state of a search means for who reads its rows. Only the title Complete says that there is nothing else. */
export function standing(search: Search): Standing {
  switch (search.state) {
    case 'issuing':
      return { tone: 'live', title: 'Issuing trapdoors' }
    case 'running':
      return { tone: 'live', title: 'Searching' }
    case 'complete':
      return finished(search)
    case 'limited':
      return { tone: 'warn', title: 'Limit reached', caution: `Partial: it stopped at its limit. ${left(search)}` }
    case 'stopped':
      return { tone: 'warn', title: 'Stopped', caution: `Partial: it was stopped. ${left(search)}` }
    case 'failed':
      return {
        tone: 'bad',
        title: 'Failed',
        caution: `Partial: ${search.problem ?? 'it could not be finished.'} ${left(search)}`,
      }
  }
}

/** Of a search that went through all envelopes. */
function finished({ notSearched, unchecked }: Search): Standing {
  const caution = notSearched?.length ? `Partial: not searched: ${notSearched.join('; ')}` : undefined
  if (unchecked > 0) {
    return { tone: 'warn', title: 'Finished, not all checked', caution }
  }
  return caution === undefined
    ? { tone: 'good', title: 'Complete' }
    : { tone: 'warn', title: 'Complete, as far as your attributes reach', caution }
}

const left = (search: Search): string => {
  const unread = search.envelopes - search.envelopesDone
  return unread > 0 ? `${plural(unread, 'envelope')} of ${count(search.envelopes)} were not searched.` : ''
}

export function share(search: Search): number {
  if (search.state === 'complete') {
    return 100
  }
  if (search.state === 'issuing') {
    return (100 * search.issued) / search.trapdoors
  }
  return search.envelopes === 0 ? 0 : Math.min(100, (100 * search.envelopesDone) / search.envelopes)
}

/** Trapdoors while they are issued; envelopes, speed, time left while it runs. */
export function pace(search: Search): string {
  if (search.state === 'issuing') {
    return `${count(search.issued)} of ${plural(search.trapdoors, 'trapdoor')}`
  }
  if (search.state === 'running' && search.envelopes === 0) {
    return 'waiting for the gateway'
  }
  const parts = [`${count(search.envelopesDone)} of ${plural(search.envelopes, 'envelope')}`]
  if (search.perSecond !== undefined && search.perSecond > 0) {
    parts.push(`${count(search.perSecond)}/s`)
  }
  if (search.state === 'running' && search.remainingMillis !== undefined) {
    parts.push(`${duration(search.remainingMillis)} left`)
  } else if (search.millis !== undefined && search.state !== 'running') {
    parts.push(`took ${duration(search.millis)}`)
  }
  return parts.join(' · ')
}

/** For the live region: at the beginning and at the end, not in between. */
export function announcement(search: Search): string {
  const { title, caution } = standing(search)
  switch (search.state) {
    case 'issuing':
    case 'running':
      return 'Searching'
    case 'complete':
      return `${plural(search.rows, 'hit')}, done${search.unchecked > 0 ? `; ${plural(search.unchecked, 'mail')} not checked` : ''}`
    default:
      return `${title}: ${plural(search.rows, 'hit')}. ${caution ?? ''}`
  }
}
