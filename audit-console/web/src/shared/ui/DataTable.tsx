import { useState, type ReactNode } from 'react'
import { Button, Table } from '@mantine/core'
import { Foreign } from './Foreign'
import { count } from './format'
import css from './DataTable.module.css'

export interface Column<T> {
  name: string
  cell: (item: T) => ReactNode
  /** Takes what is left of the width. */
  wide?: boolean
  /** Name for screen readers only: columns of buttons. */
  hidden?: boolean
}

interface Props<T> {
  label: string
  columns: Column<T>[]
  items: T[]
  keyOf: (item: T) => string
  /** So many rows at first, and as many more whenever somebody asks. All, if it is not given. */
  most?: number
}

/** A table that becomes a list of cards where there is no room for columns. */
export function DataTable<T>({ label, columns, items, keyOf, most = Infinity }: Props<T>) {
  const [times, setTimes] = useState(1)
  const shown = items.slice(0, most * times)
  return (
    <div className={`card ${css.frame}`}>
      <Table aria-label={label} verticalSpacing={9} horizontalSpacing="md" className={css.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(column => (
              <Table.Th key={column.name}>
                {column.hidden ? <span className="sr-only">{column.name}</span> : column.name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(item => (
            <Table.Tr key={keyOf(item)}>
              {columns.map(column => (
                <Table.Td
                  key={column.name}
                  data-name={column.hidden ? undefined : column.name}
                  data-wide={column.wide || undefined}
                  data-buttons={column.hidden || undefined}
                >
                  <Cell of={column.cell(item)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < items.length && (
        <div className={css.more}>
          <Button variant="subtle" size="compact-sm" onClick={() => setTimes(times + 1)}>
            Show more of {label}: {count(shown.length)} of {count(items.length)} are shown
          </Button>
        </div>
      )}
    </div>
  )
}

/** A cell that is bare text shows it as what others wrote. */
function Cell({ of }: { of: ReactNode }) {
  return typeof of === 'string' ? <Foreign>{of}</Foreign> : of
}
