import type { FigurePoint, FigureSeries } from '@/shared/api/types'
import { bytes, count, day, minute, plural, timeZone } from '@/shared/ui/format'

export type Span = 'hour' | 'day' | 'month'

/** A step of a plot; without a point nothing is known of it. */
export interface Step {
  at: number
  point?: FigurePoint
}

/** What is drawn: parts stand one on another. */
export interface Plot {
  name: string
  title: string
  /** Numbers of parts, or undefined if it was not measured. */
  parts: { label: string; of: (point: FigurePoint) => number | undefined; bad?: boolean }[]
  format: (n: number) => string
  /** How much there is of it, not how much came: it is not summed up. */
  level?: string
}

export const PLOTS: Plot[] = [
  { name: 'lines', title: 'Lines stored', parts: [{ label: 'lines', of: p => p.lines }], format: count },
  { name: 'mails', title: 'Mails stored', parts: [{ label: 'mails', of: p => p.mails }], format: count },
  { name: 'searches', title: 'Searches started', parts: [{ label: 'searches', of: p => p.searches }], format: count },
  {
    name: 'deliveries',
    title: 'Deliveries by routes',
    parts: [
      { label: 'done', of: p => p.delivered },
      { label: 'failed', of: p => p.failed, bad: true },
    ],
    format: count,
  },
  {
    name: 'storage',
    title: 'Envelopes in storage',
    parts: [{ label: 'envelopes', of: p => p.envelopes }],
    format: count,
    level: 'at its end',
  },
  {
    name: 'free',
    title: 'Free on the gateway’s disk',
    parts: [{ label: 'free', of: p => p.freeBytes }],
    format: bytes,
    level: 'at least',
  },
  {
    name: 'waiting',
    title: 'Deliveries that wait',
    parts: [{ label: 'waiting', of: p => p.waiting }],
    format: count,
    level: 'at most',
  },
  {
    name: 'spool',
    title: 'Spool: taken and not stored yet',
    parts: [{ label: 'in the spool', of: p => p.backlogBytes }],
    format: bytes,
    level: 'at most',
  },
]

const MOST = 400

/** Each step from the first that was asked for to the last, known or not. */
export function stepsOf({ from, to, stepMinutes, points }: FigureSeries): Step[] {
  const width = (stepMinutes ?? 0) * 60_000
  const first = Date.parse(from ?? '')
  const last = Date.parse(to ?? '')
  if (!(width > 0) || !(last > first)) {
    return []
  }
  const known = new Map(points.map(point => [Date.parse(point.begins), point]))
  const steps: Step[] = []
  for (let at = first; at < last && steps.length < MOST; at += width) {
    steps.push({ at, point: known.get(at) })
  }
  return steps
}

/** Of all parts; undefined if nothing is known. */
export function valueOf(plot: Plot, { point }: Step): number | undefined {
  const values = point ? plot.parts.map(part => part.of(point)).filter(value => value !== undefined) : []
  return values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0)
}

/** Hours and days are those of who looks, a month has the days of UTC, as the gateway sums them up. */
export function timeOf(span: Span, at: number): string {
  const date = new Date(at)
  return span === 'month' ? date.toISOString().slice(0, 10) : minute(date).slice(11)
}

/** The same with its day, where the hours of two days are in the plot. */
export const longTimeOf = (span: Span, at: number): string =>
  span === 'day' ? `${day(new Date(at))} ${timeOf(span, at)}` : timeOf(span, at)

export const zoneOf = (span: Span): string => (span === 'month' ? 'UTC' : timeZone())

/** A step in words. */
export function said(plot: Plot, span: Span, step: Step): string {
  const time = longTimeOf(span, step.at)
  const { point } = step
  if (!point || valueOf(plot, step) === undefined) {
    return `${time}: not known`
  }
  const parts = plot.parts.map(({ label, of }) => {
    const value = of(point)
    return `${value === undefined ? 'not known' : plot.format(value)} ${label}`
  })
  return `${time}: ${parts.join(', ')}`
}

const STEP: Record<Span, string> = { hour: 'minute', day: 'hour', month: 'day' }

/** What a plot shows, for who does not see it. */
export function summary(plot: Plot, span: Span, steps: Step[]): string {
  const known = steps.flatMap(step => {
    const value = valueOf(plot, step)
    return value === undefined ? [] : [{ at: step.at, value }]
  })
  const missing = steps.length - known.length
  const gap = missing === 0 ? '' : `; not known of ${plural(missing, STEP[span])} of ${count(steps.length)}`
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) {
    return 'Not known in this time'
  }
  if (plot.level !== undefined) {
    return `${plot.format(last.value)} at last, ${plot.format(first.value)} at first${gap}`
  }
  const sum = known.reduce((all, { value }) => all + value, 0)
  const most = known.reduce((a, b) => (b.value > a.value ? b : a))
  return sum === 0
    ? `None${gap}`
    : `${plot.format(sum)} in all, at most ${plot.format(most.value)} in a ${STEP[span]}, ${longTimeOf(span, most.at)}${gap}`
}
