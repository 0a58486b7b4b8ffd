import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import type { Search } from '@/shared/api/types'
import { Failure } from '@/shared/ui/States'
import { count, timeZone } from '@/shared/ui/format'
import { GridRow } from './GridRow'
import * as scroll from './scaledScroll'
import { useRows } from './useRows'
import css from './ResultGrid.module.css'

const HEAD = 32

interface Props {
  search: Search
  active: number
  setActive: (row: number) => void
  open: (row: number) => void
  opened: number | undefined
}

/** The rows, of which only those on the screen exist. One tab stop; arrows, j and k move in it. */
export function ResultGrid({ search, active, setActive, open, opened }: Props) {
  const id = useId()
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const { ref: sized, height } = useElementSize<HTMLDivElement>()
  const geometry: scroll.Geometry = {
    rows: search.rows,
    rowHeight: narrow ? 58 : 34,
    viewport: Math.max(0, height - HEAD),
  }
  const { element: elementRef, list, onScroll, reveal } = useScaledScroll(geometry)
  const { first, end, offset } = scroll.windowOf(geometry, list)
  const pages = useRows(search.id, search.rows, first, end)
  const error = pages.firstError(first, end)
  useEffect(() => reveal(active), [active, reveal])

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(geometry.viewport / geometry.rowHeight) - 1)
    const next = moved(event, active, search.rows, page)
    if (next !== undefined) {
      event.preventDefault()
      setActive(next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(active)
    }
  }
  const ref = useCallback(
    (node: HTMLDivElement | null) => {
      elementRef.current = node
      sized(node)
    },
    [elementRef, sized],
  )
  return (
    <div className={css.frame}>
      {error !== undefined && (
        <div className={css.error}>
          <Failure error={error} retry={() => pages.retry()} />
        </div>
      )}
      <div
        ref={ref}
        className={css.grid}
        role="grid"
        tabIndex={0}
        aria-label={search.mail ? 'Mails found' : 'Records found'}
        aria-rowcount={search.rows + 1}
        aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        data-state="data"
      >
        <div role="presentation" style={{ height: scroll.canvasHeight(geometry) + HEAD }}>
          <div className={css.window} role="presentation" style={{ height: height || undefined }}>
            <Head mail={search.mail ?? false} />
            <div className={css.rows} role="rowgroup">
              <div role="presentation" style={{ transform: `translateY(${offset}px)` }}>
                {Array.from({ length: end - first }, (_, i) => first + i).map(index => (
                  <GridRow
                    key={index}
                    id={`${id}-${index}`}
                    index={index}
                    row={pages.row(index)}
                    failed={pages.error(index) !== undefined}
                    mail={search.mail ?? false}
                    height={geometry.rowHeight}
                    active={index === active}
                    opened={index === opened}
                    open={open}
                  />
                ))}
              </div>
            </div>
          </div>
        </div>
      </div>
      <div className={css.place} aria-hidden="true">
        {end > first && `${count(first + 1)} to ${count(end)} of ${count(search.rows)}`}
      </div>
    </div>
  )
}

function Head({ mail }: { mail: boolean }) {
  const time = `Time, ${timeZone()}`
  const names = mail ? [time, 'From', 'To', 'Subject'] : [time, 'Level', 'Sender', 'Origin', 'Text']
  return (
    <div
      className={`${css.head} ${mail ? css.mail : css.record}`}
      role="row"
      aria-rowindex={1}
      style={{ height: HEAD }}
    >
      {names.map(name => (
        <span key={name} role="columnheader" title={name}>
          {name}
        </span>
      ))}
    </div>
  )
}

/** Where a key leads; undefined for keys that mean nothing here. */
export function moved(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  at: number,
  rows: number,
  page: number,
) {
  if (event.ctrlKey || event.metaKey || event.altKey || rows === 0) {
    return undefined
  }
  const steps: Record<string, number> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  }
  const step = steps[event.key]
  return step === undefined ? undefined : Math.min(Math.max(at + step, 0), rows - 1)
}

/** Holds where the element and the list stand. When scrolling comes to rest, the scroll bar is put where the list is. */
function useScaledScroll(geometry: scroll.Geometry) {
  const element = useRef<HTMLDivElement>(null)
  const at = useRef<scroll.Position>({ dom: 0, list: 0 })
  const latest = useRef(geometry)
  const rest = useRef(0)
  const [list, setList] = useState(0)
  useEffect(() => {
    latest.current = geometry
  })
  const put = useCallback((position: scroll.Position) => {
    at.current = position
    setList(position.list)
    if (element.current && Math.abs(element.current.scrollTop - position.dom) > 1) {
      element.current.scrollTop = position.dom
    }
  }, [])
  const onScroll = useCallback(() => {
    at.current = scroll.scrolled(latest.current, at.current, element.current?.scrollTop ?? 0)
    setList(at.current.list)
    window.clearTimeout(rest.current)
    rest.current = window.setTimeout(
      () => put({ list: at.current.list, dom: scroll.toDom(latest.current, at.current.list) }),
      200,
    )
  }, [put])
  const reveal = useCallback(
    (row: number) => {
      if (latest.current.viewport > 0) {
        const next = scroll.reveal(latest.current, at.current, row)
        if (next !== at.current) {
          put(next)
        }
      }
    },
    [put],
  )
  useEffect(() => () => window.clearTimeout(rest.current), [])
  return { element, list, onScroll, reveal }
}
