import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { ApiError } from '@/shared/api/problem'
import type { Search } from '@/shared/api/types'
import { isRechecking } from './recheck'

export const isLive = (search: Search | undefined): boolean =>
  search?.state === 'issuing' || search?.state === 'running'

const FIRST_WAIT = 1000
const LONGEST_WAIT = 15_000
/** Between two looks at the recheck of a search that has ended. */
const RECHECK_WAIT = 2000

/** `lost`: the stream broke, and it is being connected again; what is shown may be old. */
export type Connection = 'open' | 'lost'

/** A search as the server tells it: read once, then by its events until it ends. */
export function useSearch(id: string | undefined) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: ['search', id],
    queryFn: () => take(api.GET('/api/searches/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (isRechecking(state.data) ? RECHECK_WAIT : false),
  })
  const live = isLive(query.data)
  const [connection, setConnection] = useState<Connection>('open')
  useEffect(() => {
    if (!id || !live) {
      setConnection('open')
      return
    }
    const key = ['search', id]
    return follow(id, {
      state: search => client.setQueryData(key, search),
      connection: setConnection,
      check: () => client.fetchQuery<Search>({ queryKey: key, staleTime: 0 }),
    })
  }, [client, id, live])
  return { ...query, connection }
}

interface Follower {
  state: (search: Search) => void
  connection: (connection: Connection) => void
  /** Asks for the state directly: it tells a session that is over or a search that is gone from a broken line. */
  check: () => Promise<unknown>
}

/** Listens until the end of the search; connects again with growing waits. Gives what stops it. */
export function follow(id: string, follower: Follower): () => void {
  let source: EventSource | undefined
  let timer = 0
  let wait = FIRST_WAIT
  let over = false

  const stop = () => {
    over = true
    window.clearTimeout(timer)
    source?.close()
  }
  const lost = () => {
    follower.connection('lost')
    // While it is CONNECTING the browser itself tries again.
    if (source?.readyState !== EventSource.CLOSED || over) {
      return
    }
    timer = window.setTimeout(() => {
      follower.check().then(connect, (error: unknown) => (hopeless(error) ? stop() : lost()))
    }, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
  const connect = () => {
    if (over) {
      return
    }
    source = new EventSource(`/api/searches/${encodeURIComponent(id)}/events`)
    source.onopen = () => {
      wait = FIRST_WAIT
      follower.connection('open')
    }
    source.onerror = lost
    source.addEventListener('state', event => {
      const search = JSON.parse((event as MessageEvent<string>).data) as Search
      if (!isLive(search)) {
        stop()
      }
      follower.connection('open')
      follower.state(search)
    })
  }
  connect()
  return stop
}

const hopeless = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 404)
