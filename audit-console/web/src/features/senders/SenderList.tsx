import { useState } from 'react'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api, take } from '@/shared/api/client'
import type { SenderPage, SenderState } from '@/shared/api/types'
import { CHAIN_STATES } from '@/shared/ui/ChainState'
import { count } from '@/shared/ui/format'
import { Empty, View } from '@/shared/ui/States'
import { SenderFilter, type Filter } from './SenderFilter'
import css from './SenderFilter.module.css'
import { SenderTable } from './SenderTable'

const PAGE = 50

/** Senders by page: the console filters them, so that 10,000 are not in the browser. */
export function SenderList() {
  const [filter, setFilter, from, setFrom] = useFilter()
  const [text] = useDebouncedValue(filter.text, 250)
  const asked = { text, state: filter.state || undefined, order: filter.order, from, count: PAGE }
  const senders = useQuery({
    queryKey: ['senders', 'page', asked],
    queryFn: ({ signal }) => take(api.GET('/api/senders', { params: { query: asked }, signal })),
    placeholderData: keepPreviousData,
  })
  const change = (next: Filter) => {
    setFilter(next)
    setFrom(0)
  }
  return (
    <>
      {(senders.data === undefined || senders.data.total > 0) && (
        <SenderFilter filter={filter} change={change} page={senders.data?.known ? senders.data : undefined} />
      )}
      <View
        query={senders}
        isEmpty={data => data.total === 0 && data.known}
        empty={
          <Empty title="No senders yet">Register one with what “veilgate identity show” prints on the device.</Empty>
        }
      >
        {page => <Found page={page} from={from} go={setFrom} all={() => change({ ...filter, text: '', state: '' })} />}
      </View>
    </>
  )
}

const isState = (text: string | null): text is SenderState => CHAIN_STATES.some(state => state === text)

/** The state is in the address, so that other pages can link to some of the senders. */
function useFilter() {
  const [params, setParams] = useSearchParams()
  const [rest, setRest] = useState<Omit<Filter, 'state'>>({ text: '', order: 'name' })
  const [from, setFrom] = useState(0)
  const state = params.get('state')
  const filter: Filter = { ...rest, state: isState(state) ? state : '' }
  const setFilter = ({ state: wanted, ...others }: Filter) => {
    setRest(others)
    if (wanted !== filter.state) {
      setParams(wanted === '' ? {} : { state: wanted }, { replace: true })
    }
  }
  return [filter, setFilter, from, setFrom] as const
}

interface FoundProps {
  page: SenderPage
  from: number
  go: (from: number) => void
  all: () => void
}

function Found({ page, from, go, all }: FoundProps) {
  return (
    <>
      {page.known ? (
        <Text size="sm" c="dimmed" mb="sm">
          Chains, last numbers and when each was last heard of are the gateway’s telling, by when the sender’s last
          envelope arrived there. It is no proof: a gateway can keep envelopes back.
        </Text>
      ) : (
        <Alert color="yellow" mb="sm" title="Only who is registered is known" role="alert">
          The gateway did not say which senders it has heard of, when, and what is missing. Nothing of that is shown.
        </Alert>
      )}
      {page.senders.length === 0 ? (
        <Empty
          title="No sender is like this"
          action={
            <Button variant="default" size="xs" onClick={all}>
              Show all
            </Button>
          }
        >
          {count(page.total)} are known in all.
        </Empty>
      ) : (
        <SenderTable senders={page.senders} known={page.known} />
      )}
      {(page.found > PAGE || from > 0) && (
        <nav aria-label="Pages of senders" className={css.pages}>
          <Text size="sm" c="dimmed" role="status">
            {count(Math.min(from + 1, page.found))} to {count(from + page.senders.length)} of {count(page.found)}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" disabled={from === 0} onClick={() => go(Math.max(0, from - PAGE))}>
              Previous
            </Button>
            <Button variant="default" size="xs" disabled={from + PAGE >= page.found} onClick={() => go(from + PAGE)}>
              Next
            </Button>
          </Group>
        </nav>
      )}
    </>
  )
}
