import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Rechecked, Row, Search } from '@/shared/api/types'
import { count } from '@/shared/ui/format'
import { useNotify } from '@/shared/ui/notice'

export interface Recheck {
  /** Mails that were checked since the list was opened, by their number in it. */
  checked: ReadonlyMap<number, Checked>
  /** Numbers of mails to check, in this order; the first is being checked. */
  queue: readonly number[]
  /** Why the queue came to an end before all of it was checked. */
  error: unknown
  check: (mails: readonly Row[]) => void
  /** Checks no other mail; the one that is being checked comes to its end. */
  stop: () => void
  /** Takes what was checked out of the list. */
  clear: () => void
}

export interface Checked {
  mail: Row
  result: Rechecked
}

/**
 * Checks mails once more, one after the other, as the console does. Goes on when the list is closed, and ends with the page after the mail that is being checked:
 * the console finishes that one in any case.
 */
export function useUnchecked({ id }: Search, listed: boolean): Recheck {
  const client = useQueryClient()
  const notify = useNotify()
  const [checked, setChecked] = useState<ReadonlyMap<number, Checked>>(new Map())
  const [queue, setQueue] = useState<readonly Row[]>([])
  const [error, setError] = useState<unknown>()
  const waiting = useRef<Row[]>([])
  const isListed = useRef(listed)
  useEffect(() => {
    isListed.current = listed
  }, [listed])
  useEffect(() => () => void waiting.current.splice(1), [])

  const run = useCallback(async () => {
    const read = (key: string) => client.invalidateQueries({ queryKey: [key, id] })
    for (let mail = waiting.current[0]; mail; mail = waiting.current[0]) {
      try {
        const path = { id, number: mail.row }
        const result = await take(api.POST('/api/searches/{id}/unchecked/{number}', { params: { path } }))
        if (result.verdict === 'found') {
          void read('histogram')
        }
        // The row is opened only when the page knows that there are so many.
        await read('search')
        const done = { mail, result }
        setChecked(old => new Map(old).set(done.mail.row, done))
        if (!isListed.current) {
          notify(`${mail.text ?? 'A mail'}: ${inWords(result)}`)
        }
      } catch (cause) {
        setError(cause)
        waiting.current = [mail]
      }
      waiting.current.shift()
      setQueue([...waiting.current])
    }
    await Promise.all([read('unchecked'), read('search')])
  }, [client, id, notify])

  const check = useCallback(
    (mails: readonly Row[]) => {
      const isIdle = waiting.current.length === 0
      waiting.current.push(...mails.filter(mail => !waiting.current.some(({ row }) => row === mail.row)))
      setQueue([...waiting.current])
      setError(undefined)
      if (isIdle) {
        void run()
      }
    },
    [run],
  )
  const stop = useCallback(() => {
    waiting.current.splice(1)
    setQueue([...waiting.current])
  }, [])
  const clear = useCallback(() => setChecked(new Map()), [])
  const numbers = useMemo(() => queue.map(({ row }) => row), [queue])
  return { checked, queue: numbers, error, check, stop, clear }
}

/** What became of a mail that was checked once more. */
export function inWords({ verdict, row }: Rechecked): string {
  switch (verdict) {
    case 'found':
      return `found: row ${count((row ?? 0) + 1)}`
    case 'not-found':
      return 'not what you search for'
    case 'not-asked-for':
      return 'of another time, or signed by others than you asked for'
    case 'unchecked':
      return 'takes too long still'
  }
}
