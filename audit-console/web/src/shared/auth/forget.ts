import type { QueryClient } from '@tanstack/react-query'

/** Takes everything that was read out of memory: answers, and those still on their way. Who is logged in is asked on. */
export function forgetAnswers(client: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'session'
  void client.cancelQueries({ predicate })
  client.removeQueries({ predicate })
  client.getMutationCache().clear()
}
