import { Alert, Badge, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { IndexesOfSender, SenderIndexes } from '@/shared/api/types'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { count } from '@/shared/ui/format'
import { indexReasons } from '@/shared/ui/indexReasons'
import { MiddleCut } from '@/shared/ui/MiddleCut'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'

const MAIL = 'mail/'

/** How a sender is called where its name is no registered one's. */
const called = (name: string) =>
  name === '' ? 'what nobody answers for' : name.startsWith(MAIL) ? 'mail that was signed for the tenant' : name

const columns = (most: number): Column<IndexesOfSender>[] => [
  { name: 'Sender', cell: one => <SenderName name={one.name} /> },
  { name: 'Checked', cell: one => <span className="nums">{count(one.checked)}</span> },
  { name: 'Indexes less', cell: one => <Findings one={one} most={most} /> },
  { name: 'Excused', cell: one => <span className="nums">{count(one.excused)}</span> },
  { name: 'Not checked, and why', wide: true, cell: one => <NotChecked one={one} /> },
  { name: 'Last finding', cell: one => <Ago at={one.lastFinding} /> },
  { name: 'Actions', hidden: true, cell: one => <Actions one={one} /> },
]

/** Whether senders index what they seal, as far as records were opened. For keepers: a sender is not to hear of it. */
export function Indexes() {
  const indexes = useQuery({ queryKey: ['senders', 'indexes'], queryFn: () => take(api.GET('/api/senders/indexes')) })
  return (
    <section aria-labelledby="indexes">
      <Title order={2} size="h4" id="indexes" mt="xl" mb="xs">
        Complete indexes
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Whenever somebody opens a record, its keywords are made again and looked for in its index. Who leaves words out
        of the record itself, or seals for readers of whom nobody searches here, is not seen. A sender that hears of
        findings can learn words of other senders: tell nobody but who looks after it.
      </Text>
      <View
        query={indexes}
        isEmpty={data => data.senders.length === 0}
        empty={<Empty title="No record was checked yet">No sender is registered, either.</Empty>}
      >
        {data => (
          <>
            {data.dayStopped && <DayStopped most={data.mostOfDay} />}
            <DataTable
              label="Complete indexes"
              most={50}
              items={sorted(data)}
              keyOf={one => one.name}
              columns={columns(data.mostOfSender)}
            />
          </>
        )}
      </View>
    </section>
  )
}

/** Those with findings first. */
const sorted = ({ senders }: SenderIndexes) => [...senders].sort((a, b) => b.lacking - a.lacking)

function SenderName({ name }: { name: string }) {
  if (name === '') {
    return <>Nobody answers for it</>
  }
  return name.startsWith(MAIL) ? (
    <>
      Mail signed for the tenant
      <Text size="xs" c="dimmed" component="div">
        <MiddleCut text={name.slice(MAIL.length)} />
      </Text>
    </>
  ) : (
    <strong>
      <Foreign>{name}</Foreign>
    </strong>
  )
}

function Findings({ one, most }: { one: IndexesOfSender; most: number }) {
  return (
    <>
      <Badge variant="light" color={one.lacking > 0 ? 'red' : 'gray'} tt="none">
        {one.lacking > 0 ? count(one.lacking) : 'none'}
      </Badge>
      {one.stopped && (
        <Text size="xs" c="var(--vg-red)">
          stopped after {count(most)} findings
        </Text>
      )}
    </>
  )
}

function NotChecked({ one }: { one: IndexesOfSender }) {
  return (
    <>
      <span className="nums">{count(one.notChecked)}</span>
      {one.reasons.map(({ reason, count: times }) => (
        <Text key={reason} size="xs" c="dimmed" component="div">
          {count(times)}: {indexReasons[reason]}
        </Text>
      ))}
    </>
  )
}

function Actions({ one }: { one: IndexesOfSender }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {one.counted > 0 && <Allow one={one} />}
      <Caller one={one} />
    </Group>
  )
}

function Allow({ one }: { one: IndexesOfSender }) {
  const allow = useAction({
    run: () => done(api.POST('/api/senders/indexes/allow', { body: { name: one.name } })),
    changes: ['senders', 'record'],
    said: () => `Indexes of ${called(one.name)} are looked into again`,
  })
  return (
    <ConfirmButton label="Check again" of={one.name} title="Look into its indexes again?" action={allow}>
      Its {count(one.counted)} findings are counted as seen, and as many more can follow. Each tells a sender who hears
      of it, and who made its blocks of another sender’s, a little of that one’s words: allow it when you know why the
      words were missing.
    </ConfirmButton>
  )
}

/** Whether it may give keywords itself. */
function Caller({ one }: { one: IndexesOfSender }) {
  const isAsked = one.caller || one.reasons.some(({ reason }) => reason === 'keywords-of-caller')
  const set = useAction({
    run: () => done(api.POST('/api/senders/indexes/callers', { body: { name: one.name, allowed: !one.caller } })),
    changes: ['senders', 'record'],
    said: () =>
      one.caller
        ? `${one.name} may not give keywords itself any more`
        : `${one.name} may give keywords itself; records of it that have such are excused`,
  })
  return isAsked ? (
    <Button size="compact-sm" variant="subtle" loading={set.isPending} onClick={() => set.mutate()}>
      {one.caller ? 'No keywords of its own' : 'Excuse keywords of its own'}
    </Button>
  ) : null
}

function DayStopped({ most }: { most: number }) {
  const allow = useAction({
    run: () => done(api.POST('/api/senders/indexes/allow-day')),
    changes: ['senders', 'record'],
    said: () => 'Indexes are looked into again',
  })
  return (
    <Alert color="red" title="No index is looked into" mb="sm">
      There were {count(most)} findings in a day.{' '}
      <ConfirmButton label="Check again" of="all senders" title="Look into indexes again?" action={allow}>
        So many findings are a fault of many senders, or somebody who tries to learn from them. Senders that were
        stopped themselves stay stopped.
      </ConfirmButton>
    </Alert>
  )
}
