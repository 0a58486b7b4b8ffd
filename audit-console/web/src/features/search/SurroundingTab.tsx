import { useState } from 'react'
import { Button, Group } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { NearbyRecord, Row } from '@/shared/api/types'
import { stamp, timeZone } from '@/shared/ui/format'
import { Empty, View } from '@/shared/ui/States'
import { visible } from '@/shared/ui/visible'
import type { At } from './MailTab'
import css from './RecordPanel.module.css'

const STEP = 10
const MOST = 100

/** Records of the same source around this one. */
export function SurroundingTab({ at, row }: { at: At; row: Row }) {
  const [around, setAround] = useState(STEP)
  const near = useQuery({
    queryKey: ['near', at.search, at.row, around],
    queryFn: ({ signal }) => {
      const params = { path: { id: at.search, row: at.row }, query: { before: around, after: around } }
      return take(api.GET('/api/searches/{id}/rows/{row}/surrounding', { params, signal }))
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return (
    <View
      query={near}
      isEmpty={data => data.length === 0}
      empty={<Empty title="Nothing around it">This source has sent nothing else.</Empty>}
    >
      {records => (
        <>
          <p className={css.note}>Times in {timeZone()}.</p>
          <ol className={css.near} aria-label="Surrounding records">
            {records.map(record => (
              <Near key={`${record.envelope}-${record.ordinal}`} record={record} here={isHere(record, row)} />
            ))}
          </ol>
          <Group mt="xs">
            <Button
              size="xs"
              variant="default"
              disabled={around >= MOST}
              loading={near.isPlaceholderData}
              onClick={() => setAround(n => Math.min(MOST, n * 2))}
            >
              Show more around it
            </Button>
          </Group>
        </>
      )}
    </View>
  )
}

const isHere = (record: NearbyRecord, row: Row): boolean =>
  record.envelope === row.envelope && record.ordinal === row.ordinal

function Near({ record, here }: { record: NearbyRecord; here: boolean }) {
  return (
    <li className={here ? css.here : record.isHit ? css.hit : undefined} aria-current={here || undefined}>
      <span className={css.nearTime}>{stamp(record.time)}</span>
      {record.text === undefined ? (
        <span className={css.locked}>
          <IconLock size={13} aria-hidden /> {visible(record.why ?? 'not readable')}
        </span>
      ) : (
        <span className={css.nearText}>{visible(record.text)}</span>
      )}
      {record.isHit && !here && <span className={css.dim}>hit</span>}
    </li>
  )
}
