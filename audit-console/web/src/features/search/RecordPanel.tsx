import { useEffect, useRef, type ReactNode } from 'react'
import { ActionIcon, Alert, Badge, Tabs, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconLock, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { RecordDetail, Search } from '@/shared/api/types'
import { CopyButton } from '@/shared/ui/Copy'
import { Exact } from '@/shared/ui/Time'
import { count, timeZone } from '@/shared/ui/format'
import { View } from '@/shared/ui/States'
import { visible } from '@/shared/ui/visible'
import { FieldsTab, type Narrow } from './FieldsTab'
import { notOwn, Proof, whyLocked } from './GridRow'
import { IndexNote } from './IndexNote'
import { Level } from './Level'
import { MailTab } from './MailTab'
import { Marked } from './Marked'
import { RawTab } from './RawTab'
import { SurroundingTab } from './SurroundingTab'
import css from './RecordPanel.module.css'

interface Props {
  search: Search
  /** Where the record stands in the list. */
  place: number
  /** How many there are in the list. */
  places: number
  /** The number of its row; not known before it was read. */
  row: number | undefined
  move: (place: number) => void
  close: () => void
  narrow: Narrow
}

export function useRecord(search: string, row: number | undefined) {
  return useQuery({
    queryKey: ['record', search, row],
    queryFn: ({ signal }) =>
      take(api.GET('/api/searches/{id}/rows/{row}', { params: { path: { id: search, row: row ?? 0 } }, signal })),
    staleTime: Infinity,
    enabled: row !== undefined,
  })
}

/** One record or mail, beside the list. */
export function RecordPanel({ search, place, places, row, move, close, narrow }: Props) {
  const record = useRecord(search.id, row)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (window.matchMedia('(max-width: 48em)').matches) {
      heading.current?.focus()
    }
  }, [])
  return (
    <aside className={css.panel} aria-label={search.mail ? 'Mail' : 'Record'}>
      <header className={css.head}>
        <h2 className={css.title} ref={heading} tabIndex={-1}>
          {search.mail ? 'Mail' : 'Record'} {count(place + 1)} <span>of {count(places)}</span>
        </h2>
        <Tool
          label="Previous (k)"
          disabled={place === 0}
          act={() => move(place - 1)}
          icon={<IconChevronUp size={18} />}
        />
        <Tool
          label="Next (j)"
          disabled={place + 1 >= places}
          act={() => move(place + 1)}
          icon={<IconChevronDown size={18} />}
        />
        <Tool label="Close (Esc)" act={close} icon={<IconX size={18} />} />
      </header>
      <div className={css.body}>
        <View query={record}>{detail => <Detail key={row} search={search} detail={detail} narrow={narrow} />}</View>
      </div>
    </aside>
  )
}

function Tool({ label, icon, act, disabled }: { label: string; icon: ReactNode; act: () => void; disabled?: boolean }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" onClick={act} disabled={disabled} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

interface DetailProps {
  search: Search
  detail: RecordDetail
  narrow: Narrow
}

function Detail({ search, detail, narrow }: DetailProps) {
  const { row, mail } = detail
  const at = { search: search.id, row: row.row }
  const unreadable = row.kind === 'unreadable'
  return (
    <>
      {!mail && <Summary detail={detail} narrow={narrow} />}
      {unreadable && <Unreadable detail={detail} />}
      {detail.index?.outcome === 'lacking' && <IndexNote index={detail.index} />}
      {!unreadable && !mail && (
        <div className={css.line}>
          <pre className={css.text} tabIndex={0} aria-label="Text of the record">
            <Marked text={detail.text} />
          </pre>
          {detail.truncated && <p className={css.note}>Cut here; the raw form has all of it.</p>}
          <CopyButton text={detail.text}>Copy text</CopyButton>
        </div>
      )}
      <Tabs defaultValue={mail ? 'mail' : unreadable ? 'raw' : 'fields'} keepMounted={false} mt={mail ? -6 : 'md'}>
        <Tabs.List>
          {mail && <Tabs.Tab value="mail">Mail</Tabs.Tab>}
          {!unreadable && <Tabs.Tab value="fields">{mail ? 'Origin and fields' : 'Fields'}</Tabs.Tab>}
          {!mail && !unreadable && <Tabs.Tab value="near">Surrounding</Tabs.Tab>}
          <Tabs.Tab value="raw">Raw and JSON</Tabs.Tab>
        </Tabs.List>
        {mail && (
          <Tabs.Panel value="mail" pt="md">
            <MailTab mail={mail} at={at} row={row} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="fields" pt="sm">
          {mail && <Summary detail={detail} narrow={narrow} />}
          <FieldsTab detail={detail} narrow={narrow} />
          {detail.index && detail.index.outcome !== 'lacking' && <IndexNote index={detail.index} />}
        </Tabs.Panel>
        <Tabs.Panel value="near" pt="sm">
          <SurroundingTab at={at} row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="md">
          <RawTab at={at} detail={detail} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function Unreadable({ detail: { row } }: { detail: RecordDetail }) {
  return (
    <Alert
      color="yellow"
      icon={<IconLock size={18} />}
      title="It was found, but it cannot be read"
      mt="sm"
      data-testid="unreadable"
    >
      {whyLocked({ ...row, missing: undefined })}
      {row.missing && row.missing.length > 0 && (
        <div className={css.missing}>
          It would open with:{' '}
          {row.missing.map(attribute => (
            <code key={attribute}>{visible(attribute)}</code>
          ))}
        </div>
      )}
      <div className={css.missing}>A keeper decides who gets which attributes.</div>
    </Alert>
  )
}

function Summary({ detail, narrow }: { detail: RecordDetail; narrow: Narrow }) {
  const { row } = detail
  const facts: [string, ReactNode][] = [
    [
      'Time',
      <span key="t">
        <Exact at={row.time} /> <span className={css.dim}>{timeZone()}</span>
        {notOwn(row) && <span className={css.dim}> {notOwn(row)}</span>}
      </span>,
    ],
    [
      'Sender',
      <span key="s" className={css.sender}>
        <Proof proven={row.proven} /> {visible(row.sender)}
        {row.sequence ? <span className={css.dim}>no. {count(row.sequence)}</span> : null}
        <button type="button" className={css.only} onClick={() => narrow.sender(row.sender)}>
          only this sender
        </button>
      </span>,
    ],
    ...(row.origin ? ([['Origin', visible(row.origin)]] as [string, ReactNode][]) : []),
    [
      'Who may read',
      detail.policy && detail.policy.length > 0 ? (
        <Policy key="p" policy={detail.policy} />
      ) : (
        'whoever the tenant’s key opens it for'
      ),
    ],
    ...(detail.wraps && detail.wraps.length > 0
      ? ([['Key wrapped with', visible(detail.wraps.join(', '))]] as [string, ReactNode][])
      : []),
    ['Scope, epoch', visible(`${detail.scope ?? '–'}, ${detail.epoch ?? '–'}`)],
  ]
  return (
    <div>
      {row.level && (
        <div className={css.badges}>
          <Level level={row.level} />
        </div>
      )}
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Policy({ policy }: { policy: string[] }) {
  return policy.map((alternative, i) => (
    <span key={alternative}>
      {i > 0 && <Badge variant="transparent">or</Badge>}
      <code>{visible(alternative)}</code>
    </span>
  ))
}
