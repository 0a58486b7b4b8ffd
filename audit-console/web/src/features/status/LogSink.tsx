import { Alert, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { SinkStatus } from '@/shared/api/types'
import { count, plural } from '@/shared/ui/format'
import { Foreign } from '@/shared/ui/Foreign'
import { View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'

/** Where the issuing log is sent, and how far it has come there. */
export function LogSink() {
  const sink = useQuery({
    queryKey: ['log-sink'],
    queryFn: () => take(api.GET('/api/log/sink')),
    refetchInterval: 5000,
  })
  return (
    <section aria-labelledby="log-sink">
      <Title order={2} size="h4" id="log-sink" mt="xl" mb="xs">
        Issuing log, elsewhere
      </Title>
      <View query={sink}>{data => <Sink sink={data} />}</View>
    </section>
  )
}

function waits({ activity, waiting }: SinkStatus): string {
  if (activity === 'locked') {
    return 'Nothing is sent while the keys are locked.'
  }
  return waiting ? `${plural(waiting, 'entry waits', 'entries wait')}.` : 'No entry waits.'
}

function Sink({ sink }: { sink: SinkStatus }) {
  if (!sink.receiver) {
    return (
      <Text size="sm" c="dimmed">
        The issuing log is not sent anywhere.
      </Text>
    )
  }
  return (
    <>
      <Text size="sm" component="div">
        To <Foreign>{sink.receiver}</Foreign>, which has acknowledged{' '}
        {sink.sent ? `entry ${count(sink.sent)} and all before it` : 'nothing yet'}. {waits(sink)}
      </Text>
      {sink.failing && (
        <Alert
          role="alert"
          color="red"
          icon={<IconAlertTriangle size={20} />}
          title="The receiver does not take it"
          mt="sm"
        >
          Since <Ago at={sink.failing.since} />: <Foreign>{sink.failing.reason}</Foreign>. It is tried again, and
          nothing is lost.
        </Alert>
      )}
      {sink.putBack && (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} />} title="The issuing log was put back" mt="sm">
          <Ago at={sink.putBack.at} />: the receiver may have entries up to {count(sink.putBack.from)} that the log does
          not have any more. What is behind entry {count(sink.putBack.to)} is sent.
        </Alert>
      )}
    </>
  )
}
