import { visible } from './visible'

/** Text that others wrote: names, reasons, queries, lines. Nothing of it is hidden, and it turns nothing round that stands beside it. For attributes there is {@link visible}. */
export function Foreign({ children }: { children: string | readonly string[] | undefined }) {
  if (children === undefined) {
    return null
  }
  return <bdi>{visible(typeof children === 'string' ? children : children.join(', '))}</bdi>
}
