import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../api/client'
import type { Ends, Session } from '../api/types'
import { SESSION } from './session'
import { sessionState } from './sessionState'
import { hearTabs, tellTabs } from './tabs'

const TICK = 1000
const LONGEST_WARNING = 120
/** Who is asked, and does not answer for so long when the end has come, counts as gone. */
const PATIENCE = 5000
const LONGEST_GAP = 30_000
/** A logout takes a moment: other tabs ask again and again. */
const AFTER_LEAVING = [300, 1000, 3000, 10_000]
/** What a person does; scrolling is reading. */
const USES = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

export interface Ending {
  /** Seconds until the session ends; absent while that is far away. */
  left?: number
  /** Whether using it helps no more. */
  atLast: boolean
  stay: () => void
}

/**
 * Tells the server when the person is there, at most every half minute, and nobody else's requests count. Knows when the session is about to end, and asks at its end: if the server
 * does not say that it goes on, the page ends.
 */
export function useSessionEnd(session: Session, readAt: number): Ending {
  const client = useQueryClient()
  const { ends } = session
  const [left, setLeft] = useState<number>()
  const longest = useRef(0)
  const sent = useRef(0)
  const waiting = useRef(0)

  const send = useCallback(async () => {
    window.clearTimeout(waiting.current)
    waiting.current = 0
    sent.current = Date.now()
    const now = await take<Ends>(api.POST('/api/session/used')).catch(() => undefined)
    if (now && !sessionState.isOver()) {
      client.setQueryData<Session | null>(SESSION, old => old && { ...old, ends: now })
      tellTabs('used')
    }
  }, [client])

  const ask = useCallback(
    () => client.refetchQueries({ queryKey: SESSION }, { cancelRefetch: false, throwOnError: true }),
    [client],
  )

  // First, as the others read it.
  useEffect(() => {
    longest.current = Math.max(longest.current, ends.seconds)
  }, [ends])

  useEffect(() => {
    const used = () => {
      const gap = Math.min(LONGEST_GAP, (longest.current * 1000) / 20)
      const rest = sent.current + gap - Date.now()
      if (rest <= 0) {
        void send()
      } else if (waiting.current === 0) {
        waiting.current = window.setTimeout(() => void send(), rest)
      }
    }
    USES.forEach(use => window.addEventListener(use, used, { capture: true, passive: true }))
    return () => {
      window.clearTimeout(waiting.current)
      waiting.current = 0
      USES.forEach(use => window.removeEventListener(use, used, { capture: true }))
    }
  }, [send])

  useEffect(() => {
    let asking = false
    const atEnd = async () => {
      asking = true
      const late = window.setTimeout(() => sessionState.end(), PATIENCE)
      await ask().catch(() => sessionState.end())
      window.clearTimeout(late)
      asking = false
    }
    const tick = () => {
      const rest = Math.ceil((readAt + ends.seconds * 1000 - Date.now()) / 1000)
      setLeft(rest <= Math.min(LONGEST_WARNING, longest.current / 4) ? Math.max(0, rest) : undefined)
      if (rest <= 0 && !asking) {
        void atEnd()
      }
    }
    tick()
    const timer = window.setInterval(tick, TICK)
    document.addEventListener('visibilitychange', tick)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [ask, ends, readAt])

  useEffect(() => {
    const timers: number[] = []
    const stop = hearTabs(word => {
      const waits = word === 'leaving' ? AFTER_LEAVING : [0]
      timers.push(...waits.map(wait => window.setTimeout(() => void ask().catch(() => undefined), wait)))
    })
    return () => {
      stop()
      timers.forEach(timer => window.clearTimeout(timer))
    }
  }, [ask])

  return { left, atLast: ends.seconds >= ends.atMost, stay: () => void send() }
}
