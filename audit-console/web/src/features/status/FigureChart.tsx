import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { longTimeOf, said, summary, timeOf, valueOf, type Plot, type Span, type Step } from './series'
import css from './FigureChart.module.css'

/** In units of the drawing, which is stretched to the room that there is. */
const HEIGHT = 100
const GAP = 0.15

interface Props {
  plot: Plot
  span: Span
  steps: Step[]
}

/** Bars of steps, drawn without a library. Arrow keys go from step to step, as a pointer does; what is not known is hatched, not empty. */
export function FigureChart({ plot, span, steps }: Props) {
  const [at, setAt] = useState<number>()
  const id = useId()
  const last = steps.length - 1
  const most = Math.max(1, ...steps.map(step => valueOf(plot, step) ?? 0))
  const shown = at === undefined ? undefined : steps[Math.min(at, last)]
  const first = steps[0]
  const end = steps[last]
  if (!first || !end) {
    return null
  }
  const onKey = (event: KeyboardEvent) => {
    const to = keyed(event.key, at ?? last + 1, last)
    if (to !== undefined) {
      event.preventDefault()
      setAt(to)
    }
  }
  const onMove = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * steps.length))))
  }
  const current = steps[Math.min(at ?? last, last)] ?? end
  return (
    <section className={`card ${css.chart}`} aria-labelledby={`${id}t`}>
      <h3 id={`${id}t`} className={css.title}>
        {plot.title}
      </h3>
      <p id={`${id}s`} className={css.summary}>
        {summary(plot, span, steps)}
      </p>
      <div
        className={css.plot}
        role="slider"
        tabIndex={0}
        aria-labelledby={`${id}t`}
        aria-describedby={`${id}s`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(at ?? last, last)}
        aria-valuetext={said(plot, span, current)}
        onKeyDown={onKey}
        onPointerMove={onMove}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <svg
          viewBox={`0 0 ${steps.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={css.svg}
          aria-hidden="true"
          focusable="false"
        >
          {steps.map((step, i) => (
            <Bar key={step.at} plot={plot} step={step} x={i} most={most} marked={step === shown} />
          ))}
        </svg>
        <span className={css.most} aria-hidden="true">
          {plot.format(most)}
        </span>
      </div>
      <div className={css.times} aria-hidden="true">
        {shown ? (
          <span className={css.said}>{said(plot, span, shown)}</span>
        ) : (
          <>
            <span>{longTimeOf(span, first.at)}</span>
            <span>{timeOf(span, end.at)}</span>
          </>
        )}
      </div>
    </section>
  )
}

interface BarProps {
  plot: Plot
  step: Step
  x: number
  most: number
  marked: boolean
}

function Bar({ plot, step, x, most, marked }: BarProps) {
  const { point } = step
  const room = { x: x + GAP / 2, width: 1 - GAP }
  if (!point || valueOf(plot, step) === undefined) {
    return <rect {...room} y={0} height={HEIGHT} className={marked ? css.markedGap : css.gap} data-gap />
  }
  const heights = plot.parts.map(({ of }) => ((of(point) ?? 0) / most) * HEIGHT)
  return (
    <>
      {marked && <rect x={x} y={0} width={1} height={HEIGHT} className={css.mark} />}
      {plot.parts.map(({ label, bad }, i) => {
        const upTo = heights.slice(0, i + 1).reduce((a, b) => a + b, 0)
        return <rect key={label} {...room} y={HEIGHT - upTo} height={heights[i]} className={bad ? css.bad : css.bar} />
      })}
    </>
  )
}

function keyed(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, at - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, at + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
