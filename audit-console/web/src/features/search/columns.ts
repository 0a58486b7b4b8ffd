import type { Table } from '@/shared/api/types'

/**
 * A column of the result table. `time`, `level` and such are of every row; `field:` and a name are fields that records
 * have.
 */
export interface Column {
  id: string
  /** In pixels; without one the column's own. */
  width?: number | undefined
}

/** How somebody looks at the rows of a scope. */
export interface View {
  columns: Column[]
  /** A column's id, behind a minus sign the greatest first; empty for the order of discovery. */
  sort: string
  /** Lines of text that a row has room for. */
  lines: number
}

const FIELD = 'field:'
export const TEXT = 'text'
export const LEAST_WIDTH = 60
export const MOST_WIDTH = 1200
export const MOST_COLUMNS = 40
export const LINES = [1, 3, 8] as const

const OF_RECORDS = ['time', 'level', 'sender', 'origin', TEXT]
const OF_MAILS = ['time', 'from', 'to', TEXT]

const WIDTHS: Record<string, number> = { time: 192, level: 74, sender: 132, origin: 150, from: 200, to: 200 }
const OF_FIELD = 140

/** Columns of every row. */
export const plainColumns = (mail: boolean): string[] => (mail ? OF_MAILS : OF_RECORDS)

/** The view of who has chosen nothing. */
export const defaultView = (mail: boolean): View => ({
  columns: plainColumns(mail).map(id => ({ id })),
  sort: '-time',
  lines: 1,
})

export const fieldColumn = (name: string): string => FIELD + name

/** The name of the field of a column, if it is one of a field. */
export const fieldOf = (id: string): string | undefined => (id.startsWith(FIELD) ? id.slice(FIELD.length) : undefined)

export const widthOf = ({ id, width }: Column): number => width ?? WIDTHS[id] ?? OF_FIELD

/** What the server calls the column of this search, if it has one. */
export function requestName(id: string, table: Table | undefined): string | undefined {
  const name = fieldOf(id)
  if (name === undefined) {
    return id
  }
  const number = table?.fields.indexOf(name) ?? -1
  return number < 0 ? undefined : `field-${number}`
}

/** What the server is asked to sort by; undefined for an order that this search does not have (yet). */
export function requestSort(sort: string, table: Table | undefined): string | undefined {
  const descending = sort.startsWith('-')
  const name = requestName(descending ? sort.slice(1) : sort, table)
  return name && (descending ? `-${name}` : name)
}

/** Sorted by this column: first as one mostly wants it, then the other way round. */
export function toggled(sort: string, id: string): string {
  const first = id === 'time' || id === 'level' ? `-${id}` : id
  const second = first === id ? `-${id}` : id
  return sort === first ? second : first
}

/** How a column is sorted now. */
export const direction = (sort: string, id: string): 'ascending' | 'descending' | 'none' =>
  sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : 'none'

export const has = (view: View, id: string): boolean => view.columns.some(column => column.id === id)

/** With a column before the text, or without it; the last column stays. */
export function withColumn(view: View, id: string, shown: boolean): View {
  if (!shown) {
    const columns = view.columns.filter(column => column.id !== id)
    return columns.length === 0 ? view : { ...view, columns }
  }
  if (has(view, id) || view.columns.length >= MOST_COLUMNS) {
    return view
  }
  const text = view.columns.findIndex(column => column.id === TEXT)
  const at = text < 0 || id === TEXT ? view.columns.length : text
  return { ...view, columns: view.columns.toSpliced(at, 0, { id }) }
}

/** With a column moved by so many places. */
export function moved(view: View, id: string, by: number): View {
  const from = view.columns.findIndex(column => column.id === id)
  const to = Math.min(Math.max(from + by, 0), view.columns.length - 1)
  const column = view.columns[from]
  return column === undefined || to === from
    ? view
    : { ...view, columns: view.columns.toSpliced(from, 1).toSpliced(to, 0, column) }
}

export const resized = (view: View, id: string, width: number): View => ({
  ...view,
  columns: view.columns.map(column =>
    column.id === id ? { id, width: Math.round(Math.min(Math.max(width, LEAST_WIDTH), MOST_WIDTH)) } : column,
  ),
})

/** Widths for a grid: the text takes what is left, or the last column if there is no text. */
export function template(view: View): string {
  const flexible = has(view, TEXT) ? TEXT : view.columns.at(-1)?.id
  return view.columns
    .map(column => {
      const width = widthOf(column)
      return column.id === flexible
        ? `minmax(${column.id === TEXT ? (column.width ?? 240) : width}px, 1fr)`
        : `${width}px`
    })
    .join(' ')
}

/** The columns that a narrow list can do without, the first first: what is open beside it says them. */
const DISPENSABLE = ['signed', 'origin', 'to', 'sender', 'level']

/** With as many of the columns as there is room for beside the time and the text. */
export function fitting(view: View, width: number): View {
  const fields = view.columns.flatMap(({ id }) => (fieldOf(id) === undefined ? [] : [id])).reverse()
  let fits = view
  for (const id of [...DISPENSABLE, ...fields]) {
    if (width <= 0 || leastWidth(fits) <= width) {
      return fits
    }
    fits = withColumn(fits, id, false)
  }
  return fits
}

/** The width that all columns need at least, with gaps and edges. */
export const leastWidth = (view: View): number =>
  view.columns.reduce((sum, column) => sum + (column.id === TEXT ? (column.width ?? 240) : widthOf(column)) + 12, 20)
