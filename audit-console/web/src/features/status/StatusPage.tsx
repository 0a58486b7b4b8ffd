import { Alert, Badge, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { GatewayStatus } from '@/shared/api/types'
import { bytes, count, duration } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Foreign } from '@/shared/ui/Foreign'
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
  const status = useQuery({ queryKey: ['status'], queryFn: () => take(api.GET('/api/status')), refetchInterval: 5000 })
  return (
    <Page title="Status" lead="What the gateway says of itself, every five seconds.">
      <View query={status}>{data => <Status status={data} />}</View>
    </Page>
  )
}

function Status({ status }: { status: GatewayStatus }) {
  if (!status.reachable) {
    return (
      <Alert role="alert" color="red" icon={<IconPlugConnectedX size={20} />} title="The gateway does not answer">
        The console is up, but it does not reach the gateway. Searches, routes and senders’ states are not available
        until it does. Check that the gateway runs, and the address and token in the console’s settings.
      </Alert>
    )
  }
  return (
    <>
      <Text size="sm" mb="md" component="div">
        <Badge color="green" variant="light" tt="none" mr="xs">
          Reachable
        </Badge>
        Gateway <Foreign>{status.version ?? ''}</Foreign>
      </Text>
      <Text size="sm" c="dimmed" mb="md" component="div">
        Post-quantum algorithms: the gateway by <Foreign>{status.postQuantum.gateway ?? 'an unknown library'}</Foreign>,
        this console by <Foreign>{status.postQuantum.console}</Foreign>
      </Text>
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
    </>
  )
}
