import { Badge, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { RulesInUse, RulesSeen } from '@/shared/api/types'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { Foreign } from '@/shared/ui/Foreign'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'

/** Whether the last that was seen of a sender is of rules 1. */
const isFormer = ({ former, later }: RulesSeen) =>
  former !== undefined && (later === undefined || Date.parse(former) > Date.parse(later))

const COLUMNS: Column<RulesSeen>[] = [
  {
    name: 'Sender',
    cell: seen =>
      seen.name === '' ? (
        'Mail that no sender signed'
      ) : (
        <strong>
          <Foreign>{seen.name}</Foreign>
        </strong>
      ),
  },
  { name: 'Seals by', cell: seen => <State seen={seen} /> },
  { name: 'Last by rules 1', cell: seen => <Ago at={seen.former} /> },
  { name: 'Last by later rules', cell: seen => <Ago at={seen.later} /> },
]

/** Who still makes keywords by rules 1: what to know before the tenant gives them up. */
export function KeywordRules() {
  const rules = useQuery({ queryKey: ['senders', 'rules'], queryFn: () => take(api.GET('/api/senders/rules')) })
  return (
    <section aria-labelledby="keyword-rules">
      <Title order={2} size="h4" id="keyword-rules" mt="xl" mb="xs">
        Rules of keywords
      </Title>
      <View
        query={rules}
        isEmpty={data => data.senders.length === 0}
        empty={<Empty title="Nothing with keywords has arrived">No sender is registered, either.</Empty>}
      >
        {data => (
          <>
            <Summary rules={data} />
            {(data.next || data.senders.some(seen => seen.later)) && (
              <DataTable
                label="Rules of keywords"
                most={50}
                items={[...data.senders].sort((a, b) => Number(isFormer(b)) - Number(isFormer(a)))}
                keyOf={seen => seen.name}
                columns={COLUMNS}
              />
            )}
          </>
        )}
      </View>
    </section>
  )
}

function Summary({ rules }: { rules: RulesInUse }) {
  const former = rules.senders.filter(isFormer).length
  const never = rules.senders.filter(seen => seen.former === undefined && seen.later === undefined).length
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {explained(rules.next)}
      {rules.next && ` ${counted(former, 'was', 'were')} last seen to seal by rules 1`}
      {rules.next && (never > 0 ? `, ${counted(never, 'has', 'have')} not been seen.` : '.')} The gateway tells it by
      the headers of what arrives, which a sender can write as it likes; records of earlier epochs are sealed by the
      rules of these.
    </Text>
  )
}

const counted = (count: number, one: string, more: string) =>
  count === 1 ? `1 sender ${one}` : `${count} senders ${more}`

function explained(next: RulesInUse['next']): string {
  if (!next) {
    return 'The tenant has rules 1 alone.'
  }
  const rules = next.rules === undefined ? 'later rules, which this console does not know,' : `rules ${next.rules}`
  return next.onlyFrom === undefined
    ? `Senders that know ${rules} use them from ${next.from} on; rules 1 are taken, too.`
    : `Senders use ${rules} from ${next.from} on, and from ${next.onlyFrom} on the gateway takes nothing else.`
}

function State({ seen }: { seen: RulesSeen }) {
  if (seen.former === undefined && seen.later === undefined) {
    return <>–</>
  }
  return isFormer(seen) ? (
    <Badge variant="light" color="yellow" tt="none">
      rules 1
    </Badge>
  ) : (
    <Badge variant="light" color="green" tt="none">
      later rules
    </Badge>
  )
}
