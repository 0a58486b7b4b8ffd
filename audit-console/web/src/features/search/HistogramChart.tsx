import { useEffect, useRef } from 'react'
import { useComputedColorScheme } from '@mantine/core'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Histogram } from '@/shared/api/types'
import { count, minute } from '@/shared/ui/format'
import { barsOf, spanOf } from './bars'

interface Props {
  histogram: Histogram
  narrow: (from: string, to: string) => void
}

/** Drawn on a canvas; the words for it are beside it, for who does not see it. */
export default function HistogramChart({ histogram, narrow }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const data = useRef<uPlot.AlignedData>([[], []])
  const range = useRef<[number, number]>([0, 1])
  const latest = useRef({ histogram, narrow })
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    latest.current = { histogram, narrow }
  })
  useEffect(() => {
    const element = place.current
    if (!element) {
      return
    }
    const made = new uPlot(
      options(
        element,
        () => range.current,
        (from, to) => {
          const span = spanOf(latest.current.histogram, from, to)
          if (span) {
            latest.current.narrow(span.from, span.to)
          }
        },
      ),
      data.current,
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [scheme])
  useEffect(() => {
    data.current = aligned(histogram)
    range.current = drawn(histogram)
    plot.current?.setData(data.current)
  }, [histogram, scheme])
  return <div ref={place} style={{ height: '100%' }} aria-hidden="true" />
}

function aligned(histogram: Histogram): uPlot.AlignedData {
  const middle = histogram.widthMillis / 2
  return [barsOf(histogram).map(({ from }) => (from + middle) / 1000), histogram.counts]
}

/** In seconds, with room for the last bar to be as wide as the others. */
function drawn({ from, widthMillis, counts }: Histogram): [number, number] {
  const start = Date.parse(from)
  return [start / 1000, (start + counts.length * widthMillis) / 1000]
}

/**
 * @param range  from the first bar's beginning to the last one's end, in seconds
 * @param choose is told between which moments somebody dragged, in milliseconds
 */
function options(
  element: HTMLElement,
  range: () => [number, number],
  choose: (from: number, to: number) => void,
): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const font = `11px ${style.fontFamily}`
  const axis = { stroke: colour('--mantine-color-dimmed'), font, ticks: { show: false } }
  const line = { stroke: colour('--vg-line'), width: 1 }
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    padding: [8, 20, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { x: { range }, y: { range: (_, __, max) => [0, Math.max(max, 1)] } },
    axes: [
      { ...axis, size: 22, gap: 4, space: 90, grid: { show: false }, values: (u, splits) => splits.map(label(u)) },
      {
        ...axis,
        size: 52,
        grid: line,
        splits: (_, __, ___, max) => [0, Math.round(max)],
        values: (_, values) => values.map(count),
      },
    ],
    series: [
      {},
      {
        fill: colour('--vg-bar'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.86, 60], radius: 0.15 }),
      },
    ],
    hooks: {
      setSelect: [
        u => {
          if (u.select.width > 4) {
            const time = (x: number) => u.posToVal(x, 'x') * 1000
            choose(time(u.select.left), time(u.select.left + u.select.width))
          }
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** Hours within two days, days beyond. */
function label(u: uPlot): (seconds: number) => string {
  const { min = 0, max = 0 } = u.scales.x ?? {}
  const hours = max - min < 2 * 86_400
  return seconds => {
    const text = minute(new Date(seconds * 1000))
    return hours && !text.endsWith('00:00') ? text.slice(11) : text.slice(5, 10)
  }
}
