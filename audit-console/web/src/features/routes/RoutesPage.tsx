import { useState } from 'react'
import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, done, take } from '@/shared/api/client'
import type { Route } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { DataTable, type Column } from '@/shared/ui/DataTable'
import { count } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { QueryTerms } from '@/shared/ui/QueryTerms'
import { RouteDialog } from '@/shared/ui/RouteDialog'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { Foreign } from '@/shared/ui/Foreign'
import { Renew } from './Renew'

const COLUMNS: Column<Route>[] = [
  {
    name: 'Name',
    cell: route => (
      <>
        <strong>
          <Foreign>{route.name}</Foreign>
        </strong>
        {route.former && <Former route={route} />}
      </>
    ),
  },
  {
    name: 'Does, and looks for',
    wide: true,
    cell: route => (
      <>
        {route.actions.map(action => (
          <div key={action}>
            <Foreign>{action}</Foreign>
          </div>
        ))}
        {route.query !== undefined && (
          <code>
            <Foreign>{route.query}</Foreign>
          </code>
        )}
        {route.understood && <QueryTerms {...route.understood} whole />}
        {route.former && !route.renewable && (
          <Text size="xs" c="dimmed">
            Its query is not known here: make it anew under its name, with its query
          </Text>
        )}
      </>
    ),
  },
  { name: 'Scope', cell: route => route.scope ?? '–' },
  {
    name: 'Matches',
    cell: route => <span className="nums">{route.matches === undefined ? '–' : count(route.matches)}</span>,
  },
  { name: 'Last match', cell: route => <Ago at={route.lastMatch} /> },
  { name: 'Ends', cell: route => <Ago at={route.ends} /> },
]

export default function RoutesPage() {
  const operator = useHasRole('operator')
  const auditor = useHasRole('auditor')
  const [making, setMaking] = useState(false)
  const routes = useQuery({ queryKey: ['routes'], queryFn: () => take(api.GET('/api/routes')) })
  const columns = operator
    ? [...COLUMNS, { name: 'Actions', hidden: true, cell: (route: Route) => <Actions route={route} /> }]
    : COLUMNS
  return (
    <Page
      title="Routes"
      lead="The gateway tests every new message against these and acts on what matches, without reading it. A route ends with the last epoch of its trapdoors."
      actions={operator && <Button onClick={() => setMaking(true)}>New route</Button>}
    >
      <View
        query={routes}
        isEmpty={data => data.length === 0}
        empty={
          <Empty
            title="There are no routes"
            action={
              auditor && (
                <Button component={Link} to="/" variant="default" size="xs">
                  To the search
                </Button>
              )
            }
          >
            {auditor
              ? 'A route can be made from a search: search, then choose “Make it a standing route”.'
              : 'A route looks for words as a search does, in all that arrives from now on.'}
          </Empty>
        }
      >
        {data => (
          <>
            <FormerRoutes count={data.filter(route => route.former).length} />
            <DataTable label="Routes" items={data} keyOf={route => route.name} columns={columns} />
          </>
        )}
      </View>
      {making && <RouteDialog close={() => setMaking(false)} />}
    </Page>
  )
}

function FormerRoutes({ count: routes }: { count: number }) {
  return (
    routes > 0 && (
      <Alert color="yellow" mb="md" title={routes === 1 ? 'A route misses messages' : `${routes} routes miss messages`}>
        Senders may make keywords by later rules now. Routes that were issued by former rules alone miss what only the
        later ones find, until an operator issues them again.
      </Alert>
    )
  )
}

function Former({ route }: { route: Route }) {
  return (
    <div>
      <Badge variant="light" color="yellow" tt="none">
        {`rules ${(route.rules ?? [1]).join(', ')} alone`}
      </Badge>
    </div>
  )
}

function Actions({ route }: { route: Route }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {route.renewable && <Renew route={route} />}
      <Remove route={route} />
    </Group>
  )
}

function Remove({ route }: { route: Route }) {
  const remove = useAction({
    run: () => done(api.POST('/api/routes/remove', { body: { name: route.name } })),
    changes: ['routes'],
    said: () => `The route “${route.name}” is removed`,
  })
  return (
    <ConfirmButton label="Remove" of={route.name} title={`Remove the route “${route.name}”?`} action={remove}>
      From now on it does nothing. Whoever holds its trapdoors can still test messages of its epochs with them: they
      cannot be called back.
    </ConfirmButton>
  )
}
