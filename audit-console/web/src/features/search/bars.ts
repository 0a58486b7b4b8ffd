import type { Histogram } from '@/shared/api/types'

/** A bar of a chart: how many hits have a time from `from`, and before `to`; in milliseconds since 1970. */
export interface Bar {
  from: number
  to: number
  count: number
}

export function barsOf({ from, to, widthMillis, counts }: Histogram): Bar[] {
  const start = Date.parse(from)
  const end = Date.parse(to)
  return counts.map((count, i) => ({
    from: start + i * widthMillis,
    to: Math.min(end, start + (i + 1) * widthMillis),
    count,
  }))
}

/** The time of the bars that lie between two moments, also in part: a search of it finds what they count. */
export function spanOf(histogram: Histogram, from: number, to: number): { from: string; to: string } | undefined {
  const touched = barsOf(histogram).filter(bar => bar.from < to && bar.to > from)
  const [first, last] = [touched[0], touched.at(-1)]
  return first && last && { from: new Date(first.from).toISOString(), to: new Date(last.to).toISOString() }
}
