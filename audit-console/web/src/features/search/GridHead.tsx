import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { timeZone } from '@/shared/ui/format'
import { visible } from '@/shared/ui/visible'
import { direction, fieldOf, moved, resized, toggled, widthOf, type Column, type View } from './columns'
import css from './ResultGrid.module.css'

const NAMES: Record<string, string> = {
  level: 'Level',
  sender: 'Sender',
  origin: 'Origin',
  from: 'From',
  to: 'To',
  signed: 'Signed by',
}

/** What people call a column. */
export function columnName(id: string, mail: boolean): string {
  if (id === 'time') {
    return `Time, ${timeZone()}`
  }
  return id === 'text' ? (mail ? 'Subject' : 'Text') : (NAMES[id] ?? visible(fieldOf(id) ?? id))
}

interface Props {
  mail: boolean
  view: View
  /** Columns of it that there is room for. */
  columns: readonly Column[]
  change: (view: View) => void
  /** While an edge is dragged. */
  preview: (view: View | undefined) => void
  height: number
}

const STEP = 16

/**
 * Names of the columns: a click sorts, dragging moves, the edge between two resizes. All of it can be done by keys in
 * the list of columns, too.
 */
export function GridHead({ mail, view, columns, change, preview, height }: Props) {
  const [dragged, setDragged] = useState<string>()
  const drop = (at: string) => {
    const from = view.columns.findIndex(column => column.id === dragged)
    const to = view.columns.findIndex(column => column.id === at)
    setDragged(undefined)
    if (dragged !== undefined && from >= 0 && to >= 0) {
      change(moved(view, dragged, to - from))
    }
  }
  return (
    <div className={css.head} role="row" aria-rowindex={1} style={{ height }}>
      {columns.map(column => {
        const name = columnName(column.id, mail)
        const order = direction(view.sort, column.id)
        return (
          <span
            key={column.id}
            role="columnheader"
            aria-label={name}
            aria-sort={order}
            className={css.headCell}
            data-dragged={column.id === dragged || undefined}
            onDragOver={event => event.preventDefault()}
            onDrop={() => drop(column.id)}
          >
            <button
              type="button"
              tabIndex={-1}
              className={css.sort}
              title={`${name}: sort by it; drag it to move it`}
              draggable
              onDragStart={event => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', '')
                setDragged(column.id)
              }}
              onDragEnd={() => setDragged(undefined)}
              onClick={() => change({ ...view, sort: toggled(view.sort, column.id) })}
            >
              <span className={css.cut}>{name}</span>
              {order === 'ascending' && <IconArrowUp size={13} aria-hidden />}
              {order === 'descending' && <IconArrowDown size={13} aria-hidden />}
            </button>
            <Edge
              name={name}
              width={widthOf(column)}
              drag={width => preview(resized(view, column.id, width))}
              resize={width => {
                preview(undefined)
                change(resized(view, column.id, width))
              }}
            />
          </span>
        )
      })}
    </div>
  )
}

interface EdgeProps {
  name: string
  width: number
  drag: (width: number) => void
  resize: (width: number) => void
}

/** The right edge of a column. */
function Edge({ name, width, drag, resize }: EdgeProps) {
  const from = useRef<{ x: number; width: number }>(undefined)
  const down = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const cell = event.currentTarget.parentElement
    from.current = { x: event.clientX, width: cell?.getBoundingClientRect().width ?? width }
  }
  const at = (event: PointerEvent<HTMLSpanElement>) =>
    from.current && from.current.width + event.clientX - from.current.x
  const move = (event: PointerEvent<HTMLSpanElement>) => {
    const now = at(event)
    if (now !== undefined) {
      drag(now)
    }
  }
  const up = (event: PointerEvent<HTMLSpanElement>) => {
    const now = at(event)
    from.current = undefined
    if (now !== undefined) {
      resize(now)
    }
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      event.stopPropagation()
      resize(width + (event.key === 'ArrowLeft' ? -STEP : STEP))
    }
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={Math.round(width)}
      tabIndex={-1}
      className={css.edge}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onKeyDown={key}
    />
  )
}
