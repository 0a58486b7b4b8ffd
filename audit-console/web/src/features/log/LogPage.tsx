import { useState } from 'react'
import { Autocomplete, Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { LogPage as PageOfLog } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { CopyIcon } from '@/shared/ui/Copy'
import { plural } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, Failure, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { LogEntries } from './LogEntries'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'
import css from './LogPage.module.css'

export default function LogPage() {
  const whole = useHasRole('keeper', 'approver')
  const [kind, setKind] = useState('')
  const [actor, setActor] = useState('')
  const [filter] = useDebouncedValue({ kind: kind.trim(), actor: actor.trim() }, 300)
  const log = useLog(filter)
  const pages = log.data?.pages ?? []
  const kinds = [...new Set(pages.flatMap(page => page.entries.map(entry => entry.kind)))].sort()
  const filtered = filter.kind !== '' || filter.actor !== ''
  return (
    <Page
      title="Log"
      lead={
        whole
          ? 'Every decision, trapdoor, key and opened record, each entry chained to the one before. Whoever keeps a signed head of it can tell whether one was changed or taken out; what nobody has a head of, the holder of the keys could write anew.'
          : 'What you did: every decision, trapdoor and opened record. Each entry is chained to the one before.'
      }
      actions={
        whole && (
          <Group gap="xs">
            <Download href="/api/log/head">Signed head</Download>
            <Download href="/api/log/export">Export</Download>
          </Group>
        )
      }
    >
      <Group gap="sm" mb="md">
        <Autocomplete label="Kind" placeholder="All" size="xs" data={kinds} value={kind} onChange={setKind} />
        {whole && (
          <TextInput
            label="Who"
            placeholder="Everybody"
            size="xs"
            value={actor}
            onChange={e => setActor(e.currentTarget.value)}
          />
        )}
      </Group>
      <View
        query={log}
        isEmpty={data => data.pages[0]?.entries.length === 0}
        empty={
          filtered ? (
            <Empty title="No entry of this kind and person">
              Other entries are there: change the filters to see them.
            </Empty>
          ) : (
            <Empty title="The log is empty">Nothing has been decided or issued yet.</Empty>
          )
        }
      >
        {data => (
          <>
            {data.pages[0] && <Head page={data.pages[0]} />}
            <LogEntries entries={data.pages.flatMap(page => page.entries)} />
            {log.isFetchNextPageError && <Failure error={log.error} retry={() => void log.fetchNextPage()} />}
            <div className={css.more}>
              {log.hasNextPage ? (
                <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  Load older entries
                </Button>
              ) : (
                'This is the oldest entry.'
              )}
            </div>
          </>
        )}
      </View>
    </Page>
  )
}

function Download({ href, children }: { href: string; children: string }) {
  return (
    <Button variant="default" component="a" href={href} download leftSection={<IconDownload size={16} />}>
      {children}
    </Button>
  )
}

function useLog({ kind, actor }: { kind: string; actor: string }) {
  return useInfiniteQuery({
    queryKey: ['log', kind, actor],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 50,
        ...(kind && { kind }),
        ...(actor && { actor }),
        ...(pageParam !== undefined && { before: pageParam }),
      }
      return take(api.GET('/api/log', { params: { query }, signal }))
    },
    getNextPageParam: page => page.next,
  })
}

function Head({ page }: { page: PageOfLog }) {
  return (
    <p className={css.head}>
      {plural(page.size, 'entry', 'entries')}
      {page.headTime && (
        <>
          , signed <Ago at={page.headTime} />
        </>
      )}
      {page.root && (
        <>
          , root{' '}
          <code title={visible(page.root)}>
            <Foreign>{page.root.slice(0, 16)}</Foreign>…
          </code>{' '}
          <CopyIcon text={page.root} what="the root" />
        </>
      )}
    </p>
  )
}
