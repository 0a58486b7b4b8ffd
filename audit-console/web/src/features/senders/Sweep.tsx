import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { SweepOfSender } from '@/shared/api/types'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { count } from '@/shared/ui/format'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'

const COLUMNS: Column<SweepOfSender>[] = [
  {
    name: 'Sender',
    cell: one => <strong>{one.name === '' ? 'mail that nobody answers for' : <Foreign>{one.name}</Foreign>}</strong>,
  },
  {
    name: 'Drawn',
    cell: one => (
      <span className="nums">
        {one.listed ? `${count(one.drawn)} of the gateway’s list` : `${count(one.drawn)} of 1 to ${count(one.highest)}`}
      </span>
    ),
  },
  { name: 'Checked', cell: one => <span className="nums">{count(one.checked)}</span> },
  { name: 'Not checked', wide: true, cell: one => <NotChecked one={one} /> },
  { name: 'Would have been seen', wide: true, cell: one => <Seen one={one} /> },
  { name: 'Last round', cell: one => <Ago at={one.last} /> },
]

/** How many random envelopes were opened and checked of each registered sender; records of them are not shown. */
export function Sweep() {
  const sweep = useQuery({ queryKey: ['senders', 'sweep'], queryFn: () => take(api.GET('/api/senders/sweep')) })
  return (
    <section aria-labelledby="sweep">
      <Title order={2} size="h4" id="sweep" mt="xl" mb="xs">
        Sweep
      </Title>
      <View
        query={sweep}
        isEmpty={data => data.senders.length === 0}
        empty={
          <Empty title="Nothing was swept">
            Records whose words are in no index are found by no search. With veilgate.sweep.envelopes in its settings
            the console opens random ones of each registered sender, and checks them.
          </Empty>
        }
      >
        {data => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {data.envelopes === 0
                ? 'Sweeps are off.'
                : `In each round ${count(data.envelopes)} of each registered sender are drawn, evenly from its chain.`}{' '}
              Findings are above. Mail has no chain: the gateway draws it, and what it leaves out nobody notices. Each
              line is of its sender alone: nothing follows of all together.
            </Text>
            <DataTable label="Sweep" most={50} items={data.senders} keyOf={one => one.name} columns={COLUMNS} />
          </>
        )}
      </View>
    </section>
  )
}

function NotChecked({ one }: { one: SweepOfSender }) {
  const shown = one.notGivenNumbers.map(count).join(', ')
  const parts = [
    one.notGiven > 0 && `${count(one.notGiven)} not given by the gateway${shown && `, last no. ${shown}`}`,
    one.notOpenable > 0 && `${count(one.notOpenable)} not openable for the sweep`,
    one.notChecked > 0 && `${count(one.notChecked)} opened, for the reasons above`,
    one.empty > 0 && `${count(one.empty)} with nothing to check`,
  ].filter(part => part !== false)
  return parts.length === 0 ? (
    <>–</>
  ) : (
    <>
      {parts.map(part => (
        <Text key={part} size="sm" component="div">
          {part}
        </Text>
      ))}
    </>
  )
}

/** Rounded down, so that no probability is certain. */
const percent = (share: number) => `${Math.floor(share * 1000) / 10} %`

function Seen({ one }: { one: SweepOfSender }) {
  return (
    <Text size="sm" component="div">
      words left out of 1 in 100: {percent(one.seenOneInHundred)}; of 1 in 10: {percent(one.seenOneInTen)}
    </Text>
  )
}
