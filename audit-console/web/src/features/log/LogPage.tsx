import { useState } from 'react'
import { Autocomplete, Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { LogPage as PageOfLog } from '@/shared/api/types'
import { useHasRole } from '@/shared/auth/session'
import { CopyIcon } from '@/shared/ui/Copy'
import { plural, timeZone } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, Failure, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { LogEntries } from './LogEntries'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'
import css from './LogPage.module.css'

export default function LogPage() {
  const whole = useHasRole('keeper', 'approver')
  const [typed, setTyped] = useState<Filter>(NONE)
  const [filter] = useDebouncedValue(asked(typed), 300)
  const log = useLog(filter)
  const pages = log.data?.pages ?? []
  const kinds = [...new Set(pages.flatMap(page => page.entries.map(entry => entry.kind)))].sort()
  const filtered = Object.values(filter).some(value => value !== '')
  const found = pages.some(page => page.entries.length > 0)
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
            <Download href={`/api/log/lines${addressOf(filter)}`}>As JSON lines</Download>
            <Download href="/api/log/export">Export</Download>
          </Group>
        )
      }
    >
      <Filters typed={typed} change={part => setTyped(old => ({ ...old, ...part }))} kinds={kinds} whole={whole} />
      <View
        query={log}
        isEmpty={data => !log.hasNextPage && data.pages.every(page => page.entries.length === 0)}
        empty={
          filtered ? (
            <Empty title="No such entry">
              Other entries are there: change the filters to see them. What is sealed in an entry is not looked into.
            </Empty>
          ) : (
            <Empty title="The log is empty">Nothing has been decided or issued yet.</Empty>
          )
        }
      >
        {data => (
          <>
            {data.pages[0] && <Head page={data.pages[0]} />}
            {found ? (
              <LogEntries entries={data.pages.flatMap(page => page.entries)} />
            ) : (
              <p className={css.more} role="status">
                None so far among the newest entries; older ones were not looked at yet.
              </p>
            )}
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

interface Filter {
  kind: string
  actor: string
  scope: string
  text: string
  from: string
  to: string
}

const NONE: Filter = { kind: '', actor: '', scope: '', text: '', from: '', to: '' }

/** As the server is asked: times with their zone. A time that is typed in part is none yet. */
function asked(typed: Filter): Filter {
  const time = (local: string) => (Number.isNaN(Date.parse(local)) ? '' : new Date(local).toISOString())
  const { kind, actor, scope, text, from, to } = typed
  return {
    kind: kind.trim(),
    actor: actor.trim(),
    scope: scope.trim(),
    text: text.trim(),
    from: time(from),
    to: time(to),
  }
}

const given = (filter: Filter): Partial<Filter> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))

/** Of the lines to download: without the text, since proxies write addresses down. */
function addressOf(filter: Filter): string {
  const query = new URLSearchParams(given({ ...filter, text: NONE.text })).toString()
  return query && `?${query}`
}

interface FiltersProps {
  typed: Filter
  change: (part: Partial<Filter>) => void
  kinds: string[]
  whole: boolean
}

function Filters({ typed, change, kinds, whole }: FiltersProps) {
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <TextInput
        label="Text"
        placeholder="In what is not sealed"
        size="xs"
        maxLength={200}
        value={typed.text}
        onChange={e => change({ text: e.currentTarget.value })}
      />
      <Autocomplete
        label="Kind"
        placeholder="All"
        size="xs"
        data={kinds}
        value={typed.kind}
        onChange={kind => change({ kind })}
      />
      {whole && (
        <TextInput
          label="Who"
          placeholder="Everybody"
          size="xs"
          value={typed.actor}
          onChange={e => change({ actor: e.currentTarget.value })}
        />
      )}
      <TextInput
        label="Scope"
        placeholder="All"
        size="xs"
        value={typed.scope}
        onChange={e => change({ scope: e.currentTarget.value })}
      />
      <TextInput
        label={`From, ${timeZone()}`}
        type="datetime-local"
        size="xs"
        value={typed.from}
        onChange={e => change({ from: e.currentTarget.value })}
      />
      <TextInput
        label={`Before, ${timeZone()}`}
        type="datetime-local"
        size="xs"
        value={typed.to}
        onChange={e => change({ to: e.currentTarget.value })}
      />
    </Group>
  )
}

function useLog(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['log', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => {
      const body = { limit: 50, ...given(filter), ...(pageParam !== undefined && { before: pageParam }) }
      return take(api.POST('/api/log/search', { body, signal }))
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
