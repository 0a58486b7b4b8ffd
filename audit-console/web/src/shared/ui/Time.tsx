import { relative, stamp, timeZone } from './format'

/** A time in words, with the exact one in its title. */
export function Ago({ at }: { at: string | undefined }) {
  return at ? (
    <time dateTime={at} title={`${stamp(at)}, ${timeZone()}`}>
      {relative(at)}
    </time>
  ) : (
    <>–</>
  )
}

/** Its title has the same in UTC. */
export function Exact({ at }: { at: string | undefined }) {
  return at ? (
    <time dateTime={at} title={at}>
      {stamp(at)}
    </time>
  ) : (
    <>–</>
  )
}
