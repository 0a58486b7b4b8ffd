import type { QueryClient } from '@tanstack/react-query'
import type { Draft } from './draft'

/** More than a server holds of one person. */
const MOST = 100

const byClient = new WeakMap<QueryClient, Map<string, Draft>>()

/** What stood in the bar when a search was started from it, which knows a relative time as such. In memory only: a query is in no storage and no address. */
export function startedFrom(client: QueryClient): {
  get: (id: string) => Draft | undefined
  put: (id: string, draft: Draft) => void
} {
  const drafts = byClient.get(client) ?? new Map<string, Draft>()
  byClient.set(client, drafts)
  return {
    get: id => drafts.get(id),
    put: (id, draft) => {
      drafts.set(id, draft)
      const oldest = drafts.keys().next().value
      if (drafts.size > MOST && oldest !== undefined) {
        drafts.delete(oldest)
      }
    },
  }
}
