import type { Recheck, Search } from '@/shared/api/types'
import { count, plural } from '@/shared/ui/format'

/** Whether more is to be heard of the recheck of a search that has ended. */
export const isRechecking = (search: Search | undefined): boolean =>
  search?.recheck?.state === 'waiting' || search?.recheck?.state === 'running'

/** Rounded down, so that none is said to be more than it is. */
const percent = (probability: number) => {
  const exact = probability * 100
  const steps = exact >= 10 ? 10 : exact >= 0.1 ? 100 : 10_000
  return `${Math.floor(exact * steps + 1e-9) / steps} %`
}

/** How much of what was not found the console has tested itself, in a sentence or two. */
export function recheckSaid(recheck: Recheck): { text: string; tone: 'dim' | 'warn' | 'bad' } {
  const tested = `${count(recheck.tested)} of ${plural(recheck.numbers, 'signed envelope')} without a hit`
  switch (recheck.state) {
    case 'off':
      return { text: `Not rechecked: ${recheck.reason ?? 'rechecks are off'}.`, tone: 'dim' }
    case 'waiting':
    case 'running':
      return { text: `Rechecking: ${tested} tested so far.`, tone: 'dim' }
  }
  const missing = recheck.notTested.length + recheck.moreNotTested
  const old = recheck.moreNotTested === 0 && recheck.notTested.every(({ reason }) => reason === 'retention')
  const parts = [
    `Rechecked: ${tested} tested at random.`,
    recheck.reason && `It ended early: ${recheck.reason}.`,
    recheck.caught > 0 &&
      `${plural(recheck.caught, 'envelope')} of these match${recheck.caught === 1 ? 'es' : ''}, and the gateway did not find ${recheck.caught === 1 ? 'it' : 'them'}: keepers see the evidence.`,
    recheck.odds.length > 0 &&
      `One would have been asked for of ${recheck.odds.map(({ hidden, probability }) => `${count(hidden)} hidden: ${percent(probability)}`).join('; of ')}.`,
    missing > 0 && `${count(missing)} asked for and not tested${old ? ', older than retention' : ''}.`,
    recheck.unchecked.length + recheck.moreUnchecked > 0 &&
      `Nothing was tested of ${plural(recheck.unchecked.length + recheck.moreUnchecked, 'sender')}.`,
  ]
  const bad = recheck.caught > 0
  return {
    text: parts.filter(Boolean).join(' '),
    tone: bad ? 'bad' : recheck.state === 'failed' || (missing > 0 && !old) ? 'warn' : 'dim',
  }
}
