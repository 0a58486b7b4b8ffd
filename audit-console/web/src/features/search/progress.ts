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
function finished(search: Search): Standing {
  const cautions = reasons(search)
  const caution = cautions.length > 0 ? cautions.join(' ') : undefined
  if (search.unchecked > 0) {
    return { tone: 'warn', title: 'Finished, not all checked', caution }
  }
  if (search.notSearched?.length) {
    return { tone: 'warn', title: 'Complete, as far as your attributes reach', caution }
  }
  const codes = (search.incomplete ?? []).map(({ code }) => code)
  if (codes.length === 0) {
    return { tone: 'good', title: 'Complete' }
  }
  return codes.every(code => code === OLDER)
    ? { tone: 'good', title: 'Complete, of this epoch alone', caution }
    : { tone: 'warn', title: 'Complete, as far as it could be', caution }
}

const OLDER = 'older-epochs-not-asked'

/** Said elsewhere on the page, by count. */
const COUNTED = ['unreadable', 'not-checked']

/** What of the result is missing, in sentences; codes of a later console as they are. */
function reasons({ notSearched, incomplete }: Search): string[] {
  const sentences = notSearched?.length ? [`Partial: not searched: ${notSearched.join('; ')}`] : []
  for (const { code, names, more } of incomplete ?? []) {
    const all = [...names, ...(more > 0 ? [`${count(more)}${names.length > 0 ? ' more' : ''}`] : [])].join(', ')
    if (code === OLDER) {
      sentences.push(`${plural(names.length + more, 'older epoch')} not asked: name a time to search them.`)
    } else if (code === 'targets-not-asked') {
      sentences.push(`Partial: the gateway has more in these times, which was not asked: ${all}.`)
    } else if (code === 'hits-hidden') {
      sentences.push(`Partial: the gateway did not find all that matches: ${all} at least.`)
    } else if (code !== 'index-keys-not-reached' && !COUNTED.includes(code)) {
      sentences.push(`Partial: ${code}: ${all}.`)
    }
  }
  return sentences
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
