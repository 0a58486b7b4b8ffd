import { useCallback, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { IconArrowBarToUp, IconListDetails } from '@tabler/icons-react'
import type { Search, Table } from '@/shared/api/types'
import { Failure } from '@/shared/ui/States'
import { count, plural } from '@/shared/ui/format'
import { ColumnsMenu } from './ColumnsMenu'
import { fitting, leastWidth, requestName, template, type View } from './columns'
import { GridHead } from './GridHead'
import { GridRow } from './GridRow'
import type { RowPages } from './rowPages'
import * as scroll from './scaledScroll'
import type { Order } from './useOrder'
import { useRows } from './useRows'
import css from './ResultGrid.module.css'

const HEAD = 32
const ROW = 34
const LINE = 18
const CARD = 58

interface Props {
  search: Search
  table: Table | undefined
  view: View
  change: (view: View) => void
  order: Order
  pages: RowPages
  active: number
  setActive: (place: number) => void
  open: (place: number) => void
  opened: number | undefined
  /** Shows or hides the fields of what was found. */
  toggleFields: () => void
  fieldsShown: boolean
  /** Told whether the first row is on the screen. */
  onTop: (top: boolean) => void
}

/** The rows, of which only those on the screen exist. One tab stop; arrows, j and k move in it. */
export function ResultGrid({ search, table, view, change, order, pages, active, opened, ...act }: Props) {
  const { setActive, open, onTop } = act
  const id = useId()
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const [preview, setPreview] = useState<View>()
  const { ref: sized, height, width } = useElementSize<HTMLDivElement>()
  const geometry: scroll.Geometry = {
    rows: order.upTo,
    rowHeight: (narrow ? CARD : ROW) + (view.lines - 1) * LINE,
    viewport: Math.max(0, height - HEAD),
  }
  const { element: elementRef, list, onScroll, reveal } = useScaledScroll(geometry)
  const { first, end, offset } = scroll.windowOf(geometry, list)
  useRows(pages, order.upTo, first, end)
  const error = pages.firstError(first, end)
  useEffect(() => reveal(active), [active, reveal])
  const top = list === 0
  useEffect(() => onTop(top), [top, onTop])
  const beside = opened !== undefined && !narrow
  const laid = useMemo(
    () => (beside ? fitting(preview ?? view, width) : (preview ?? view)),
    [preview, beside, view, width],
  )
  const columns = useMemo(() => shown(laid, table), [laid, table])

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(geometry.viewport / geometry.rowHeight) - 1)
    const next = moved(event, active, order.upTo, page)
    if (next !== undefined) {
      event.preventDefault()
      setActive(next)
    } else if (event.key === 'Enter' && event.target === event.currentTarget) {
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
      {order.waiting > 0 && (
        <Button
          className={css.waiting}
          size="compact-sm"
          leftSection={<IconArrowBarToUp size={15} />}
          onClick={order.update}
        >
          {plural(order.waiting, 'more hit')}: put {order.waiting === 1 ? 'it' : 'them'} in
        </Button>
      )}
      <div
        ref={ref}
        className={css.grid}
        role="grid"
        tabIndex={0}
        aria-label={search.mail ? 'Mails found' : 'Records found'}
        aria-rowcount={order.upTo + 1}
        aria-colcount={columns.length}
        aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        data-state="data"
      >
        <div
          role="presentation"
          style={{ height: scroll.canvasHeight(geometry) + HEAD, minWidth: narrow ? undefined : leastWidth(laid) }}
        >
          <div
            className={css.window}
            role="presentation"
            style={{ height: height || undefined, ['--vg-columns' as string]: template(laid) }}
          >
            <GridHead
              mail={search.mail ?? false}
              view={preview ?? view}
              columns={laid.columns}
              change={change}
              preview={setPreview}
              height={HEAD}
            />
            <div className={css.rows} role="rowgroup">
              <div role="presentation" style={{ transform: `translateY(${offset}px)` }}>
                {Array.from({ length: end - first }, (_, i) => first + i).map(index => (
                  <GridRow
                    key={index}
                    id={`${id}-${index}`}
                    index={index}
                    row={pages.row(index)}
                    failed={pages.error(index) !== undefined}
                    columns={columns}
                    height={geometry.rowHeight}
                    lines={view.lines}
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
      <div className={css.foot}>
        <span>
          <Button
            size="compact-xs"
            variant={act.fieldsShown ? 'light' : 'subtle'}
            color={act.fieldsShown ? undefined : 'gray'}
            leftSection={<IconListDetails size={15} />}
            aria-pressed={act.fieldsShown}
            onClick={act.toggleFields}
          >
            Fields
          </Button>
          <ColumnsMenu mail={search.mail ?? false} table={table} view={view} change={change} />
        </span>
        <span className={css.place} aria-hidden="true">
          {end > first && `${count(first + 1)} to ${count(end)} of ${count(order.upTo)}`}
        </span>
      </div>
    </div>
  )
}

/** Columns with the numbers that their fields have in this search. */
function shown(view: View, table: Table | undefined) {
  return view.columns.map(({ id }) => {
    const name = id.startsWith('field:') ? requestName(id, table) : undefined
    return { id, field: name === undefined ? undefined : Number(name.slice('field-'.length)) }
  })
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
