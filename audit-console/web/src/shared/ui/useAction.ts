import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNotify } from './notice'

interface Options<I, O> {
  run: (input: I) => Promise<O>
  /** What is read again afterwards: first parts of query keys. */
  changes?: string[]
  said?: (output: O, input: I) => string | undefined
  then?: (output: O, input: I) => void
}

/** A change: afterwards what it may have touched is read again, and if it was done that is said. */
export function useAction<I = void, O = void>({ run, changes = [], said, then }: Options<I, O>) {
  const client = useQueryClient()
  const notify = useNotify()
  return useMutation<O, Error, I>({
    mutationFn: run,
    // also after a failure: some of it may be done
    onSettled: () => changes.forEach(key => void client.invalidateQueries({ queryKey: [key] })),
    onSuccess: (output, input) => {
      const text = said?.(output, input)
      if (text) {
        notify(text)
      }
      then?.(output, input)
    },
  })
}
