import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { GatewayStatus } from '@/shared/api/types'
import { bytes, count, duration } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Foreign } from '@/shared/ui/Foreign'
import { useHasRole } from '@/shared/auth/session'
import { Figures } from './Figures'
import type { Problem, Source } from './problems'
import { Problems } from './Problems'
import { LogSink } from './LogSink'
import css from './StatusPage.module.css'

type Figure = GatewayStatus['figures'][number]

export function formatFigure({ value, unit }: Figure): string {
  switch (unit) {
    case 'bytes':
      return bytes(value)
    case 'per-second':
      return `${count(value)}/s`
    case 'seconds':
      return duration(value * 1000)
    case 'count':
      return count(value)
  }
}

export default function StatusPage() {
  const status = useQuery({
    queryKey: ['status'],
    queryFn: () => take(api.GET('/api/status')),
    refetchInterval: 15_000,
  })
  return (
    <Page title="Status" lead="What is wrong, and what the gateway says of itself; asked every fifteen seconds.">
      <View query={status}>{data => <Status status={data} old={status.isError} />}</View>
      <LogSink />
    </Page>
  )
}

function Status({ status, old }: { status: GatewayStatus; old: boolean }) {
  const indexes = useIndexFindings(!status.problems.some(({ kind }) => kind === 'keys-locked'))
  return (
    <div className={css.page}>
      <Problems
        problems={[...status.problems, ...indexes.problems]}
        notKnown={[...status.notKnown, ...indexes.notKnown]}
        old={old}
      />
      {status.reachable && <Figures />}
      {status.reachable && <Now status={status} />}
      <Text size="sm" c="dimmed" component="div">
        {status.reachable && (
          <>
            Gateway <Foreign>{status.version ?? 'of an unknown version'}</Foreign>.{' '}
          </>
        )}
        Post-quantum algorithms: the gateway by <Foreign>{status.postQuantum.gateway ?? 'an unknown library'}</Foreign>,
        this console by <Foreign>{status.postQuantum.console}</Foreign>
      </Text>
    </div>
  )
}

/** Findings in indexes, which are told to keepers alone; nothing for others, who do not hear that there are any. */
function useIndexFindings(open: boolean): { problems: Problem[]; notKnown: Source[] } {
  const keeper = useHasRole('keeper')
  const indexes = useQuery({
    queryKey: ['senders', 'indexes'],
    queryFn: () => take(api.GET('/api/senders/indexes')),
    enabled: keeper && open,
    refetchInterval: 60_000,
  })
  if (!keeper) {
    return { problems: [], notKnown: [] }
  }
  const found = indexes.data?.senders.filter(({ counted }) => counted > 0).length ?? 0
  return {
    problems: found > 0 ? [{ kind: 'index-findings', count: found, names: [] }] : [],
    notKnown: indexes.data === undefined || indexes.isError ? ['indexes'] : [],
  }
}

function Now({ status }: { status: GatewayStatus }) {
  return (
    <section aria-labelledby="now">
      <Title order={2} size="h4" id="now" mb="xs">
        Now
      </Title>
      {status.figures.length === 0 ? (
        <Empty title="The gateway gives no figures">It is up, but tells nothing of itself.</Empty>
      ) : (
        <dl className={css.figures}>
          {status.figures.map(figure => (
            <div key={figure.name} className="card">
              <dt>
                <Foreign>{figure.label}</Foreign>
              </dt>
              <dd>{formatFigure(figure)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
