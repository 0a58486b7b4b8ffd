import { useCallback, useEffect, useRef } from 'react'

const KEY = 'veilgate.drafts'

interface Kept {
  path: string
  /** Who typed it: somebody else who logs in does not see it. */
  user?: string
  drafts: Record<string, unknown>
}

const current = new Map<string, () => unknown>()
let frozen: Kept | undefined
/** Where the frozen values came from. */
let typedInto: ReadonlyMap<string, () => unknown> = new Map()
let restored: Kept | undefined

function read(user?: string): Kept {
  const drafts = Object.fromEntries([...current].map(([name, value]) => [name, value()]))
  return { path: window.location.pathname, user, drafts }
}

/** Keeps in memory what was typed, before the page is taken away. */
export function freezeDrafts(user: string | undefined): void {
  frozen = read(user)
  typedInto = new Map(current)
}

/** Somebody is there: gives back what she typed herself, here or before the login, and drops what another one typed. */
export function thawDrafts(user: string, before: string | undefined): void {
  if (frozen && frozen.user === user) {
    restored = frozen
  }
  frozen = undefined
  if (restored && (restored.user ?? before ?? user) !== user) {
    restored = undefined
  }
}

/**
 * Keeps what was typed over a new login, which leaves this page: written only when the person chooses to log in again, to the storage of this tab, and
 * taken out of it at once when she is back. Passphrases are never given to it.
 */
export function keepDrafts(): void {
  const now = frozen ?? read()
  // What was kept over a login that failed is kept over the next one, too.
  const before = restored && (now.user === undefined || now.user === restored.user) ? restored : undefined
  const kept: Kept = { ...now, user: now.user ?? before?.user, drafts: { ...before?.drafts, ...now.drafts } }
  window.sessionStorage.setItem(KEY, JSON.stringify(kept))
}

/** Drops what is kept in memory, of whoever typed it. */
export function forgetDrafts(): void {
  frozen = undefined
  restored = undefined
}

/** Takes back what {@link keepDrafts} kept; the path to go to, if there is one. */
export function restoreDrafts(): string | undefined {
  const text = window.sessionStorage.getItem(KEY)
  window.sessionStorage.removeItem(KEY)
  try {
    restored = text === null ? undefined : (JSON.parse(text) as Kept)
  } catch {
    restored = undefined
  }
  // A path of this site only: "//host" would be another one.
  return restored && /^\/(?!\/)/.test(restored.path) ? restored.path : undefined
}

/** What was typed under this name before the login; once. */
export function takeDraft<T>(name: string): T | undefined {
  const draft = restored?.drafts[name] as T | undefined
  if (restored && draft !== undefined) {
    delete restored.drafts[name]
  }
  return draft
}

/** Lets {@link keepDrafts} find the value while the component is there. */
export function useDraft(name: string, value: unknown): void {
  const latest = useRef(value)
  const read = useCallback(() => latest.current, [])
  useEffect(() => {
    latest.current = value
    // Typed after the session was over and before the page was taken away.
    if (frozen && typedInto.get(name) === read) {
      frozen.drafts[name] = value
    }
  })
  useEffect(() => {
    current.set(name, read)
    return () => {
      current.delete(name)
    }
  }, [name, read])
}
