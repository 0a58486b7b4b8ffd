import { useState } from 'react'
import { Alert, Button, SegmentedControl, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { FigureSeries } from '@/shared/api/types'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { plural } from '@/shared/ui/format'
import { Empty, View } from '@/shared/ui/States'
import { FigureChart } from './FigureChart'
import { longTimeOf, PLOTS, stepsOf, valueOf, zoneOf, type Span, type Step } from './series'
import css from './StatusPage.module.css'

const SPANS: { value: Span; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
]

/** Figures over time. The choice of span stays where it is while others are fetched. */
export function Figures() {
  const [span, setSpan] = useState<Span>('hour')
  const series = useQuery({
    queryKey: ['figures', span],
    queryFn: async () => ({
      span,
      series: await take(api.GET('/api/status/figures', { params: { query: { span } } })),
    }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="figures">
      <div className={css.bar}>
        <Title order={2} size="h4" id="figures">
          Over time
        </Title>
        <SegmentedControl
          aria-label="Time that is shown"
          size="xs"
          data={SPANS}
          value={span}
          onChange={value => setSpan(value)}
        />
      </div>
      <View
        query={series}
        isEmpty={({ series: { kept, points } }) => kept && points.length === 0}
        empty={
          <Empty title="Nothing is known of this time">
            The gateway writes figures once a minute while it runs. Look again in a moment.
          </Empty>
        }
      >
        {data => <Kept span={data.span} series={data.series} />}
      </View>
    </section>
  )
}

function Kept({ span, series }: { span: Span; series: FigureSeries }) {
  const [table, setTable] = useState(false)
  if (!series.kept) {
    return (
      <Alert role="status" color="gray" title="This gateway keeps no figures over time">
        It is of an earlier version. The numbers of this moment are below; after an update of the gateway plots are
        here.
      </Alert>
    )
  }
  const steps = stepsOf(series)
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {span === 'month' ? 'Days of UTC' : `Times in ${zoneOf(span)}`}. Pale where nothing is known, as while the
        gateway did not run. Lines, mails, searches, deliveries and storage are this tenant’s; spool and disk are those
        of the whole gateway.
      </Text>
      {table ? (
        <DataTable
          label={`Figures, times in ${zoneOf(span)}`}
          items={[...steps].reverse()}
          keyOf={step => String(step.at)}
          columns={columns(span)}
        />
      ) : (
        <div className={css.charts}>
          {PLOTS.map(plot => (
            <FigureChart key={plot.name} plot={plot} span={span} steps={steps} />
          ))}
        </div>
      )}
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setTable(!table)}>
        {table ? 'Show plots' : `Show ${plural(steps.length, 'row')} of a table`}
      </Button>
    </>
  )
}

const columns = (span: Span): Column<Step>[] => [
  { name: 'Time', cell: step => longTimeOf(span, step.at) },
  ...PLOTS.map(plot => ({
    name: plot.title,
    cell: (step: Step) => {
      const value = valueOf(plot, step)
      const failed = step.point && plot.name === 'deliveries' ? step.point.failed : 0
      return (
        <span className="nums">
          {value === undefined ? 'not known' : plot.format(value)}
          {failed > 0 && `, ${plot.format(failed)} failed`}
        </span>
      )
    },
  })),
]
