import { memo, type ReactNode } from 'react'
import { Skeleton, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClockQuestion,
  IconLock,
  IconShieldCheck,
  IconShieldQuestion,
  IconShieldX,
} from '@tabler/icons-react'
import type { Row, Signer } from '@/shared/api/types'
import { stamp } from '@/shared/ui/format'
import { MiddleCut } from '@/shared/ui/MiddleCut'
import { signedWords, signerHint } from '@/shared/ui/signers'
import { visible } from '@/shared/ui/visible'
import { Level } from './Level'
import { Marked } from './Marked'
import css from './ResultGrid.module.css'

interface Props {
  id: string
  index: number
  row: Row | undefined
  failed: boolean
  columns: readonly ShownColumn[]
  height: number
  lines: number
  active: boolean
  opened: boolean
  open: (row: number) => void
}

/** A column, and of a field its number in this search. */
export interface ShownColumn {
  id: string
  field: number | undefined
}

export const GridRow = memo(function GridRow({ id, index, row, failed, height, lines, active, opened, ...of }: Props) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={active}
      className={css.row}
      data-active={active || undefined}
      data-opened={opened || undefined}
      data-lines={lines}
      style={{ height }}
      onClick={() => of.open(index)}
    >
      {row ? (
        of.columns.map(column => <Cell key={column.id} row={row} column={column} lines={lines} />)
      ) : (
        <Waiting failed={failed} index={index} />
      )}
    </div>
  )
})

function Waiting({ failed, index }: { failed: boolean; index: number }) {
  return failed ? (
    <span role="gridcell" className={css.failed}>
      Row {index + 1} could not be read
    </span>
  ) : (
    <span role="gridcell" className={css.wide} aria-busy="true" aria-label="Loading">
      <Skeleton height={10} width={`${30 + ((index * 37) % 50)}%`} />
    </span>
  )
}

const NAMES = new Set(['sender', 'from', 'to', 'origin', 'signed'])

function Cell({ row, column, lines }: { row: Row; column: ShownColumn; lines: number }) {
  const { id, field } = column
  const name = NAMES.has(id) ? id : id.startsWith('field:') ? 'field' : id
  return (
    <span
      role="gridcell"
      className={cellClass(row, name)}
      data-column={name}
      data-source={id === 'time' ? row.timeSource : undefined}
      title={titleOf(row, id)}
    >
      {content(row, id, field, lines)}
    </span>
  )
}

const cellClass = (row: Row, name: string): string | undefined =>
  name !== 'text' ? css[name] : row.kind === 'unreadable' ? css.why : row.kind === 'record' ? css.text : css.subject

function titleOf(row: Row, id: string): string | undefined {
  switch (id) {
    case 'time':
      return notOwn(row)
    case 'from':
      return visible(row.from ?? '')
    case 'to':
      return visible(row.to ?? '')
    default:
      return undefined
  }
}

function content(row: Row, id: string, field: number | undefined, lines: number): ReactNode {
  const locked = row.kind === 'unreadable'
  switch (id) {
    case 'time':
      return (
        <>
          {stamp(row.time)}
          {notOwn(row) && <IconClockQuestion size={13} className={css.notOwn} role="img" aria-label={notOwn(row)} />}
        </>
      )
    case 'level':
      return locked ? <IconLock size={15} aria-label="Cannot be read" /> : <Level level={row.level} />
    case 'from':
      return (
        <>
          {locked && <IconLock size={14} aria-label="Cannot be read" className={css.lock} />}
          <Signed row={row} />
          <span className={css.cut}>{visible(row.from ?? row.sender)}</span>
        </>
      )
    case 'to':
      return visible(row.to ?? '')
    case 'sender':
      return (
        <>
          <Proof proven={row.proven} />
          <span className={css.cut}>{visible(row.sender)}</span>
        </>
      )
    case 'origin':
      return <MiddleCut text={row.origin ?? ''} />
    case 'signed':
      return signedWords(row) ?? ''
    case 'text':
      return locked ? whyLocked(row) : <Marked text={textOf(row, lines)} />
    default:
      return <Marked text={(field === undefined ? undefined : row.values?.[field])?.join(', ') ?? ''} />
  }
}

/** As much as the row has room for, and some more. */
const textOf = (row: Row, lines: number): string => (row.brief ?? row.text ?? '').slice(0, lines * 500)

const SIGNS: Record<Signer, { Icon: typeof IconShieldCheck; tone: 'proven' | 'unproven' | 'forged' }> = {
  sender: { Icon: IconShieldCheck, tone: 'proven' },
  another: { Icon: IconShieldX, tone: 'forged' },
  tenant: { Icon: IconShieldQuestion, tone: 'unproven' },
  stranger: { Icon: IconShieldQuestion, tone: 'unproven' },
  nobody: { Icon: IconShieldX, tone: 'forged' },
}

/** Who signed a mail, before the name that it gives itself. */
export function Signed({ row }: { row: Row }) {
  if (row.signed === undefined) {
    return null
  }
  const { Icon, tone } = SIGNS[row.signed]
  const label = `${signedWords(row) ?? ''}: ${signerHint(row.signed)}`
  return (
    <>
      <Tooltip label={label} openDelay={400}>
        <span className={css[tone]} role="img" aria-label={label} data-signed={row.signed}>
          <Icon size={15} />
        </span>
      </Tooltip>
      {row.altered && (
        <Tooltip label={alteredWords(row)} openDelay={400}>
          <span className={css.forged} role="img" aria-label={alteredWords(row)}>
            <IconAlertTriangle size={15} />
          </span>
        </Tooltip>
      )}
    </>
  )
}

export const alteredWords = ({ altered }: Row): string =>
  `Outside, where mail programs show it, it says something else than what was sealed: ${(altered ?? []).map(visible).join(', ')}`

/** Where a time comes from that a record or mail does not name itself. */
export function notOwn({ kind, timeSource }: Row): string | undefined {
  if (timeSource === undefined || timeSource === 'own') {
    return undefined
  }
  const when = timeSource === 'read' ? 'When it was read' : 'When it was sealed'
  return kind === 'unreadable' ? when : `${when}: it names no time itself, or none that can be`
}

export function whyLocked(row: Row): string {
  const why = row.why ?? 'It cannot be read with your attributes'
  const missing = row.missing?.length ? ` Missing: ${row.missing.join(' or ')}` : ''
  return `${why.charAt(0).toUpperCase()}${why.slice(1).replace(/\.$/, '')}.${missing}`
}

export function Proof({ proven }: { proven: boolean }) {
  const label = proven ? 'Signed by this registered sender' : 'Not proven: anybody may have written this name'
  return (
    <Tooltip label={label} openDelay={400}>
      <span className={proven ? css.proven : css.unproven} role="img" aria-label={label}>
        {proven ? <IconShieldCheck size={15} /> : <IconShieldQuestion size={15} />}
      </span>
    </Tooltip>
  )
}
