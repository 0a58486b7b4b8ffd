import type { StatusProblem, StatusSource } from '@/shared/api/types'
import { bytes, duration, plural } from '@/shared/ui/format'

/** What the console told, and what this page found out by itself. */
export type Problem = Omit<StatusProblem, 'kind'> & { kind: StatusProblem['kind'] | 'index-findings' }
export type Source = StatusSource | 'indexes'

export interface Told {
  /** What is wrong. */
  title: string
  /** One sentence of what to do. */
  todo: string
  /** Where it is done, if that is a page. */
  page?: { to: string; label: string; keeper?: boolean }
  bad: boolean
}

const SENDERS = { to: '/senders', label: 'Senders' }
const ROUTES = { to: '/routes', label: 'Routes' }
const KEYS = { to: '/keys', label: 'Keys', keeper: true }

const number = ({ count: n }: Problem): number => n ?? 0

/** Problems in words, without names that others gave. A kind that this page does not know is told, too. */
const WORDS: Record<Problem['kind'], (problem: Problem) => Told> = {
  'keys-locked': () => ({
    title: 'The keys are locked',
    todo: 'A keeper opens them with their passphrase; until then nothing is asked of the gateway.',
    page: KEYS,
    bad: true,
  }),
  'gateway-away': () => ({
    title: 'The gateway does not answer',
    todo: 'Check that the gateway runs, and the address and token in the console’s settings; searches, routes and senders’ states are not available until it does.',
    bad: true,
  }),
  'not-storing': () => ({
    title: 'The gateway does not store what it takes',
    todo: 'Look into the gateway’s log and at its disk and database; what it took is in its journal and is stored when that is mended.',
    bad: true,
  }),
  'disk-full': problem => ({
    title: `The gateway’s disk is full: ${bytes(number(problem))} are free`,
    todo: 'Make room on the gateway’s machine; it takes nothing until then, and goes on by itself.',
    bad: true,
  }),
  'certificate-ending': () => ({
    title: 'The gateway’s certificate ends',
    todo: 'Put a new certificate on the gateway’s machine; senders and this console do not connect without one.',
    bad: true,
  }),
  'bundle-ending': () => ({
    title: 'The bundle that the gateway uses ends',
    todo: 'Check that the gateway fetches the console’s bundle, and that the keys are open so that a new one is signed; senders refuse one that has ended.',
    page: KEYS,
    bad: true,
  }),
  'set-aside': problem => ({
    title: `${plural(number(problem), 'entry', 'entries')} set aside by the gateway`,
    todo: 'Update the gateway: it took them and cannot apply them in this version; its log names each.',
    bad: true,
  }),
  'deliveries-given-up': problem => ({
    title: `${plural(number(problem), 'delivery', 'deliveries')} given up in seven days`,
    todo: 'Check that the route’s target is there and takes what is sent, and install the route anew if it has another one; what was given up stays in the store.',
    page: ROUTES,
    bad: true,
  }),
  'deliveries-failing': problem => ({
    title: `All deliveries of the last quarter of an hour failed, ${plural(number(problem), 'attempt')}`,
    todo: 'Check the targets of the routes; the gateway goes on trying.',
    page: ROUTES,
    bad: true,
  }),
  'deliveries-waiting': problem => ({
    title: `Deliveries of ${plural(number(problem), 'route')} wait for long`,
    todo: 'Check that the route’s target answers; the gateway delivers as soon as it does.',
    page: ROUTES,
    bad: false,
  }),
  'spool-growing': problem => ({
    title: `The gateway’s spool grows: ${bytes(number(problem))} wait to be stored`,
    todo: 'Look at the load and disk of the gateway’s machine, and which senders send more than before.',
    page: SENDERS,
    bad: false,
  }),
  'disk-low': problem => ({
    title: `The gateway’s disk is nearly full: ${bytes(number(problem))} are free`,
    todo: 'Make room on the gateway’s machine, or keep less (retention), before it stops taking anything.',
    bad: false,
  }),
  'senders-with-gaps': problem => ({
    title: `${plural(number(problem), 'sender')} with gaps`,
    todo: 'See which numbers are missing or were signed twice, and look at those devices and what is between.',
    page: { to: '/senders?state=gaps', label: 'Senders' },
    bad: false,
  }),
  'index-findings': problem => ({
    title: `Indexes of ${plural(number(problem), 'sender')} lacked words`,
    todo: 'Find out why the words were missing, then let the senders be looked into again.',
    page: { ...SENDERS, keeper: true },
    bad: false,
  }),
  'senders-silent': problem => ({
    title: `${plural(number(problem), 'sender')} silent for longer than promised`,
    todo: 'Check that the devices run and reach the gateway.',
    page: { to: '/senders?state=silent', label: 'Senders' },
    bad: false,
  }),
  'routes-ending': problem => ({
    title: `${plural(number(problem), 'route')} at the end of its last epoch`,
    todo: 'Install the route anew for more epochs, or remove it.',
    page: ROUTES,
    bad: false,
  }),
  'clocks-differ': problem => ({
    title: `The clocks of gateway and console are ${duration(number(problem) * 1000)} apart`,
    todo: 'Set both by NTP: times of searches, ends of keys and silence of senders are told by these clocks.',
    bad: false,
  }),
}

export function told(problem: Problem): Told {
  const words = WORDS[problem.kind] as ((problem: Problem) => Told) | undefined
  return (
    words?.(problem) ?? {
      title: 'Something is wrong that this page has no words for',
      todo: 'Load the page again: it may be older than the console.',
      bad: true,
    }
  )
}

export const SOURCES: Record<Source, string> = {
  gateway: 'the gateway itself',
  senders: 'senders',
  routes: 'routes and since when deliveries wait',
  figures: 'spool and deliveries over time',
  indexes: 'findings in indexes',
  machine: 'the gateway’s clock, journal and what it set aside',
}
