import { memo } from 'react'
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
import css from './ResultGrid.module.css'

interface Props {
  id: string
  index: number
  row: Row | undefined
  failed: boolean
  mail: boolean
  height: number
  active: boolean
  opened: boolean
  open: (row: number) => void
}

export const GridRow = memo(function GridRow({ id, index, row, failed, mail, height, active, opened, open }: Props) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={active}
      className={`${css.row} ${mail ? css.mail : css.record}`}
      data-active={active || undefined}
      data-opened={opened || undefined}
      style={{ height }}
      onClick={() => open(index)}
    >
      {row ? <Cells row={row} mail={mail} /> : <Waiting failed={failed} index={index} />}
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

function Cells({ row, mail }: { row: Row; mail: boolean }) {
  const locked = row.kind === 'unreadable'
  return (
    <>
      <span role="gridcell" className={css.time} data-source={row.timeSource} title={notOwn(row)}>
        {stamp(row.time)}
        {notOwn(row) && <IconClockQuestion size={13} className={css.notOwn} role="img" aria-label={notOwn(row)} />}
      </span>
      {!mail && (
        <span role="gridcell" className={css.level}>
          {locked ? <IconLock size={15} aria-label="Cannot be read" /> : <Level level={row.level} />}
        </span>
      )}
      {mail ? (
        <>
          <span role="gridcell" className={css.from} title={visible(row.from ?? '')}>
            {locked && <IconLock size={14} aria-label="Cannot be read" className={css.lock} />}
            <Signed row={row} />
            <span className={css.cut}>{visible(row.from ?? row.sender)}</span>
          </span>
          <span role="gridcell" className={css.to} title={visible(row.to ?? '')}>
            {visible(row.to ?? '')}
          </span>
        </>
      ) : (
        <>
          <span role="gridcell" className={css.sender}>
            <Proof proven={row.proven} />
            <span className={css.cut}>{visible(row.sender)}</span>
          </span>
          <span role="gridcell" className={css.origin}>
            <MiddleCut text={row.origin ?? ''} />
          </span>
        </>
      )}
      <span role="gridcell" className={locked ? css.why : mail ? css.subject : css.text}>
        {locked ? whyLocked(row) : visible(row.text ?? '')}
      </span>
    </>
  )
}

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
