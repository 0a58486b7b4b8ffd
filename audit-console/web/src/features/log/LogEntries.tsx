import type { LogEntry } from '@/shared/api/types'
import { DataTable } from '@/shared/ui/DataTable'
import { count, timeZone } from '@/shared/ui/format'
import { Exact } from '@/shared/ui/Time'
import { Foreign } from '@/shared/ui/Foreign'
import css from './LogPage.module.css'
import { NamedValues } from './NamedValues'
import { SealedDetails } from './SealedDetails'

export function LogEntries({ entries }: { entries: LogEntry[] }) {
  return (
    <DataTable
      label="Entries of the log"
      items={entries}
      keyOf={entry => String(entry.number)}
      columns={[
        { name: 'No.', cell: entry => <span className="nums">{count(entry.number)}</span> },
        { name: `Time, ${timeZone()}`, cell: entry => <Exact at={entry.time} /> },
        { name: 'Who', cell: entry => entry.actor },
        {
          name: 'Kind',
          cell: entry => (
            <strong>
              <Foreign>{entry.kind}</Foreign>
            </strong>
          ),
        },
        { name: 'Details', wide: true, cell: entry => <Details entry={entry} /> },
      ]}
    />
  )
}

function Details({ entry }: { entry: LogEntry }) {
  return (
    <span className={css.details}>
      <NamedValues values={entry.details} />
      {entry.sealed && <SealedDetails number={entry.number} />}
    </span>
  )
}
