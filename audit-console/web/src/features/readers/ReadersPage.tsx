import { useState } from 'react'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { Reader } from '@/shared/api/types'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { DataTable } from '@/shared/ui/DataTable'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { IssueDialog } from './IssueDialog'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'

export default function ReadersPage() {
  const [issuing, setIssuing] = useState<'new' | Reader>()
  const readers = useQuery({ queryKey: ['readers'], queryFn: () => take(api.GET('/api/readers')) })
  const issue = <Button onClick={() => setIssuing('new')}>Issue a key</Button>
  return (
    <Page
      title="Readers"
      lead="Who was issued attribute keys. A key opens what was sealed in its epochs for a policy that its attributes satisfy, and nothing else."
      actions={issue}
    >
      <View
        query={readers}
        isEmpty={data => data.length === 0}
        empty={
          <Empty title="No attribute keys were issued yet">
            Issue one, and give its file and passphrase to the reader on two different ways.
          </Empty>
        }
      >
        {data => (
          <DataTable
            label="Readers"
            items={data}
            keyOf={reader => reader.name}
            columns={[
              {
                name: 'Reader',
                cell: reader => (
                  <strong>
                    <Foreign>{reader.name}</Foreign>
                  </strong>
                ),
              },
              {
                name: 'Attributes',
                wide: true,
                cell: reader => (
                  <code>
                    <Foreign>{reader.attributes}</Foreign>
                  </code>
                ),
              },
              { name: 'Searches', cell: reader => (reader.searches ? 'Yes' : '–') },
              { name: 'Epochs', cell: reader => reader.epochs?.join(', ') ?? '–' },
              { name: 'Issued', cell: reader => <Ago at={reader.issued} /> },
              { name: 'Actions', hidden: true, cell: reader => <Actions reader={reader} again={setIssuing} /> },
            ]}
          />
        )}
      </View>
      {issuing && <IssueDialog reader={issuing === 'new' ? undefined : issuing} close={() => setIssuing(undefined)} />}
    </Page>
  )
}

function Actions({ reader, again }: { reader: Reader; again: (reader: Reader) => void }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => again(reader)}
        aria-label={`Issue ${visible(reader.name)} a key again`}
      >
        Issue again
      </Button>
      <Revoke reader={reader} />
    </Group>
  )
}

function Revoke({ reader }: { reader: Reader }) {
  const revoke = useAction({
    run: () => done(api.POST('/api/readers/revoke', { body: { name: reader.name } })),
    changes: ['readers'],
    said: () => `${reader.name} gets no key for the next epochs`,
  })
  return (
    <ConfirmButton label="Revoke" of={reader.name} title={`Revoke ${reader.name}?`} action={revoke}>
      <Foreign>{reader.name}</Foreign> is issued no key for the next epochs. What was sealed in epochs that this reader
      already has keys for stays readable: a key cannot be called back.
    </ConfirmButton>
  )
}
