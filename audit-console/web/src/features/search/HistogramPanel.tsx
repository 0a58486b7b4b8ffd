import { lazy, Suspense, useState } from 'react'
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { explain } from '@/shared/api/problem'
import type { Histogram, Search } from '@/shared/api/types'
import { count, plural, stamp, timeZone } from '@/shared/ui/format'
import { barsOf } from './bars'
import { useHistogram } from './useHistogram'
import css from './HistogramPanel.module.css'

const HistogramChart = lazy(() => import('./HistogramChart'))

interface Props {
  search: Search
  narrow: (from: string, to: string) => void
}

/** Hits over time. Its height is the same in every state. */
export function HistogramPanel({ search, narrow }: Props) {
  const [open, setOpen] = useState(true)
  return (
    <section className={css.panel} aria-label="Hits over time">
      <UnstyledButton className={css.toggle} aria-expanded={open} onClick={() => setOpen(o => !o)}>
        <IconChevronDown size={14} className={open ? undefined : css.closed} aria-hidden />
        Hits over time
        <span className={css.hint}>{open ? `${timeZone()}; drag across it to narrow the time` : ''}</span>
      </UnstyledButton>
      {open && <Body search={search} narrow={narrow} />}
    </section>
  )
}

function Body({ search, narrow }: Props) {
  const histogram = useHistogram(search)
  if (histogram.error && !histogram.data) {
    return (
      <div className={css.body} role="alert" data-state="error">
        The histogram could not be read: {explain(histogram.error).title}.{' '}
        <UnstyledButton className={css.retry} onClick={() => void histogram.refetch()}>
          Try again
        </UnstyledButton>
      </div>
    )
  }
  if (search.rows === 0) {
    return (
      <div className={css.body} data-state="empty">
        No hits so far
      </div>
    )
  }
  return (
    <div className={css.chart} data-state={histogram.data ? 'data' : 'loading'}>
      {histogram.data && (
        <>
          <p className="sr-only">{inWords(histogram.data)}</p>
          <Suspense fallback={null}>
            <HistogramChart histogram={histogram.data} narrow={narrow} />
          </Suspense>
        </>
      )}
    </div>
  )
}

export function inWords(histogram: Histogram): string {
  const { counts } = histogram
  const most = Math.max(...counts)
  const at = new Date(barsOf(histogram)[counts.indexOf(most)]?.from ?? NaN).toISOString()
  const total = counts.reduce((sum, n) => sum + n, 0)
  return `${plural(total, 'hit')} from ${stamp(histogram.from)} to ${stamp(histogram.to)}; most, ${count(most)}, around ${stamp(at)}.`
}
