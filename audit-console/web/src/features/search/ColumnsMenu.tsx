import { useState } from 'react'
import { ActionIcon, Button, Checkbox, Popover, SegmentedControl, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import type { Table } from '@/shared/api/types'
import { visible } from '@/shared/ui/visible'
import { defaultView, direction, fieldColumn, has, LINES, moved, plainColumns, toggled, withColumn } from './columns'
import type { View } from './columns'
import { columnName } from './GridHead'
import css from './ColumnsMenu.module.css'

interface Props {
  mail: boolean
  table: Table | undefined
  view: View
  change: (view: View) => void
}

/** More fields are found by their names. */
const MOST = 60

/** Which columns there are, in which order, by which of them rows are sorted, and how much of a line is seen. */
export function ColumnsMenu({ mail, table, view, change }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover position="top-start" width={340} shadow="md" opened={opened} onChange={setOpened} trapFocus>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconColumns3 size={15} />}
          onClick={() => setOpened(o => !o)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" className={css.menu}>
        <Shown mail={mail} view={view} change={change} />
        <More mail={mail} table={table} view={view} change={change} />
        <div className={css.lines}>
          <span id="lines-of-a-row">Lines of a row</span>
          <SegmentedControl
            size="xs"
            aria-labelledby="lines-of-a-row"
            value={String(view.lines)}
            onChange={lines => change({ ...view, lines: Number(lines) })}
            data={LINES.map(String)}
          />
        </div>
        <div className={css.lines}>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => change({ ...view, sort: '' })}>
            As they were found
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => change(defaultView(mail))}>
            As at first
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Shown({ mail, view, change }: Omit<Props, 'table'>) {
  return (
    <ul className={css.list} aria-label="Columns that are shown">
      {view.columns.map(({ id }, i) => {
        const name = columnName(id, mail)
        const order = direction(view.sort, id)
        return (
          <li key={id}>
            <Checkbox
              size="xs"
              label={name}
              checked
              disabled={view.columns.length === 1}
              onChange={() => change(withColumn(view, id, false))}
            />
            <ActionIcon
              size="sm"
              variant={order === 'none' ? 'subtle' : 'light'}
              color={order === 'none' ? 'gray' : undefined}
              aria-pressed={order !== 'none'}
              aria-label={order === 'none' ? `Sort by ${name}` : `Sorted by ${name}, ${order}: turn it round`}
              onClick={() => change({ ...view, sort: toggled(view.sort, id) })}
            >
              {order === 'ascending' ? <IconSortAscending size={15} /> : <IconSortDescending size={15} />}
            </ActionIcon>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              disabled={i === 0}
              aria-label={`Move ${name} to the left`}
              onClick={() => change(moved(view, id, -1))}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              disabled={i + 1 === view.columns.length}
              aria-label={`Move ${name} to the right`}
              onClick={() => change(moved(view, id, 1))}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

function More({ mail, table, view, change }: Props) {
  const [wanted, setWanted] = useState('')
  const plain = [...plainColumns(mail), ...(mail ? ['signed', 'sender'] : [])].filter(id => !has(view, id))
  const fields = (table?.fields ?? []).map(fieldColumn).filter(id => !has(view, id))
  const matching = [...plain, ...fields].filter(id =>
    columnName(id, mail).toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  return (
    <>
      <TextInput
        size="xs"
        placeholder="Find a field"
        aria-label="Find a field"
        value={wanted}
        onChange={event => setWanted(event.currentTarget.value)}
      />
      <ul className={css.list} aria-label="Columns that can be added" tabIndex={0}>
        {matching.slice(0, MOST).map(id => (
          <li key={id}>
            <Checkbox
              size="xs"
              label={visible(columnName(id, mail))}
              checked={false}
              onChange={() => change(withColumn(view, id, true))}
            />
          </li>
        ))}
        {matching.length > MOST && <li className={css.more}>and {matching.length - MOST} more: type their names</li>}
        {matching.length === 0 && <li className={css.more}>No other columns.</li>}
      </ul>
    </>
  )
}
