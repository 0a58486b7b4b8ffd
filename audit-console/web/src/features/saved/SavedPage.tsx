import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { api, done, take } from '@/shared/api/client'
import type { SavedSearch } from '@/shared/api/types'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { DataTable } from '@/shared/ui/DataTable'
import { Page } from '@/shared/ui/Page'
import { QueryTerms } from '@/shared/ui/QueryTerms'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { signersList } from '@/shared/ui/signers'
import { visible } from '@/shared/ui/visible'
import { Foreign } from '@/shared/ui/Foreign'

export default function SavedPage() {
  const saved = useQuery({ queryKey: ['saved'], queryFn: () => take(api.GET('/api/saved-searches')) })
  return (
    <Page
      title="Saved searches"
      lead="Yours only, with how each query was understood when it was saved. Opening one puts it into the search bar; it is read and authorised anew each time it is searched."
    >
      <View query={saved} isEmpty={data => data.length === 0} empty={<NoneSaved />}>
        {searches => (
          <DataTable
            label="Saved searches"
            items={searches}
            keyOf={search => search.id}
            columns={[
              {
                name: 'Name',
                cell: search => (
                  <strong>
                    <Foreign>{search.name}</Foreign>
                  </strong>
                ),
              },
              {
                name: 'Query',
                wide: true,
                cell: search => (
                  <>
                    <code>
                      <Foreign>{search.query.query}</Foreign>
                    </code>
                    {search.understood && <QueryTerms {...search.understood} whole />}
                  </>
                ),
              },
              { name: 'Scope', cell: search => search.query.scope },
              {
                name: 'Signed by',
                cell: search => (search.query.signed?.length ? signersList(search.query.signed) : 'anybody'),
              },
              { name: 'Senders', cell: search => search.query.senders?.join(', ') || 'all' },
              { name: 'Saved', cell: search => <Ago at={search.created} /> },
              { name: 'Actions', hidden: true, cell: search => <Actions search={search} /> },
            ]}
          />
        )}
      </View>
    </Page>
  )
}

function NoneSaved() {
  return (
    <Empty
      title="Nothing is saved yet"
      action={
        <Button component={Link} to="/" variant="default" size="xs">
          To the search
        </Button>
      }
    >
      Search for something, then choose “Save this search” beside its results.
    </Empty>
  )
}

function Actions({ search }: { search: SavedSearch }) {
  const navigate = useNavigate()
  const remove = useAction({
    run: () => done(api.DELETE('/api/saved-searches/{id}', { params: { path: { id: search.id } } })),
    changes: ['saved'],
    said: () => `“${search.name}” is forgotten`,
  })
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-sm"
        variant="light"
        aria-label={`Open ${visible(search.name)}`}
        onClick={() => void navigate('/', { state: { query: search.query } })}
      >
        Open
      </Button>
      <ConfirmButton label="Forget" of={search.name} title="Forget this search?" action={remove}>
        “<Foreign>{search.name}</Foreign>” is taken off this list. The log of what was issued for it stays.
      </ConfirmButton>
    </Group>
  )
}
