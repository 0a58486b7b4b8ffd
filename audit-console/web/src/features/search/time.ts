import { minute, plural, stamp } from '@/shared/ui/format'

/** What the time picker holds. A relative time is counted back from when the search starts. */
export type TimeRange =
  { kind: 'relative'; minutes: number } | { kind: 'absolute'; from: string; to: string } | { kind: 'epoch' }

export const DEFAULT_TIME: TimeRange = { kind: 'relative', minutes: 24 * 60 }

const MINUTE = 60_000
const HOUR = 60
const DAY = 24 * HOUR

export const PRESETS: { minutes: number; label: string }[] = [
  { minutes: 15, label: 'Last 15 minutes' },
  { minutes: HOUR, label: 'Last hour' },
  { minutes: 4 * HOUR, label: 'Last 4 hours' },
  { minutes: DAY, label: 'Last 24 hours' },
  { minutes: 7 * DAY, label: 'Last 7 days' },
  { minutes: 30 * DAY, label: 'Last 30 days' },
  { minutes: 90 * DAY, label: 'Last 90 days' },
]

/** From and to as a request names them; neither for the whole of the present epoch. */
export function resolve(time: TimeRange, now = Date.now()): { from?: string; to?: string } {
  switch (time.kind) {
    case 'relative':
      return { from: new Date(now - time.minutes * MINUTE).toISOString(), to: new Date(now).toISOString() }
    case 'absolute':
      return { from: time.from, to: time.to }
    case 'epoch':
      return {}
  }
}

export function describe(time: TimeRange): string {
  switch (time.kind) {
    case 'relative':
      return PRESETS.find(preset => preset.minutes === time.minutes)?.label ?? `Last ${plural(time.minutes, 'minute')}`
    case 'absolute':
      return `${exact(time.from)} to ${exact(time.to)}`
    case 'epoch':
      return 'All of this epoch'
  }
}

const exact = (iso: string): string => (Date.parse(iso) % MINUTE === 0 ? minute(new Date(iso)) : stamp(iso))

/** Why a range cannot be used, if it cannot. */
export function problemOf(from: string, to: string): string | undefined {
  if (from === '' || to === '') {
    return 'Give both times'
  }
  return new Date(from) < new Date(to) ? undefined : 'The first time must be before the second'
}

/** The form of <input type="datetime-local">, in local time: whole minutes, the end of a time rounded up, so that none of it is lost. */
export function toLocalInput(iso: string, end: 'from' | 'to'): string {
  const round = end === 'from' ? Math.floor : Math.ceil
  const at = round(new Date(iso).getTime() / MINUTE) * MINUTE
  return new Date(at - new Date(at).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}
