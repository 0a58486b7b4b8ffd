import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { ChainAlarm } from '@/shared/api/types'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { count } from '@/shared/ui/format'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'

const MEANINGS: Record<ChainAlarm['kind'], string> = {
  hidden: 'It matches a search that did not find it',
  missing: 'It was signed or promised, and is not given',
  shortened: 'The gateway says that the chain ends here; more was seen of it',
}

const REASONS: Record<string, string> = {
  'not-given': 'the gateway says that there is none',
  promised: 'its sender promised it by now',
  'no-answer': 'the gateway does not answer for it',
  'not-signed': 'the gateway gives something that its sender did not sign',
}

const COLUMNS: Column<ChainAlarm>[] = [
  {
    name: 'Sender',
    cell: one => (
      <strong>
        <Foreign>{one.sender}</Foreign>
      </strong>
    ),
  },
  { name: 'Number', cell: one => <span className="nums">{count(one.number)}</span> },
  {
    name: 'Alarm',
    wide: true,
    cell: one => (
      <>
        {MEANINGS[one.kind]}
        {REASONS[one.reason] && `: ${REASONS[one.reason]}`}.
      </>
    ),
  },
  {
    name: 'Evidence',
    cell: one => (one.whole ? <Anchor href={`/api/senders/alarms/${one.id}/evidence`}>Download</Anchor> : '–'),
  },
  { name: 'First', cell: one => <Ago at={one.first} /> },
  { name: 'Last', cell: one => <Ago at={one.last} /> },
]

/** What the gateway kept back of senders' chains, as rechecks of searches found it. */
export function Alarms() {
  const alarms = useQuery({ queryKey: ['senders', 'alarms'], queryFn: () => take(api.GET('/api/senders/alarms')) })
  return (
    <section aria-labelledby="alarms">
      <Title order={2} size="h4" id="alarms" mt="xl" mb="xs">
        Kept back by the gateway
      </Title>
      <View
        query={alarms}
        isEmpty={data => data.alarms.length === 0}
        empty={
          <Empty title="Nothing is known to be kept back">
            When a search has ended, the console tests random envelopes that it did not find. What the gateway hides or
            refuses then stands here, and stays.
          </Empty>
        }
      >
        {data => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {data.total > data.alarms.length && `The newest ${count(data.alarms.length)} of ${count(data.total)}. `}
              The gateway signs no answers: evidence convinces who trusts this console, and nobody else. It has the
              trapdoors of the search, and its download is in the issuing log.
            </Text>
            <DataTable label="Kept back by the gateway" items={data.alarms} keyOf={one => one.id} columns={COLUMNS} />
          </>
        )}
      </View>
    </section>
  )
}
