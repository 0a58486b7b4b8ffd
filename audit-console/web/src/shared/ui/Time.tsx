import { relative, stamp } from './format'

/** A time in words, with the exact one in its title. */
export function Ago({ at }: { at: string | undefined }) {
  return at ? (
    <time dateTime={at} title={stamp(at)}>
      {relative(at)}
    </time>
  ) : (
    <>–</>
  )
}

export function Exact({ at }: { at: string | undefined }) {
  return at ? (
    <time dateTime={at} title={at}>
      {stamp(at)}
    </time>
  ) : (
    <>–</>
  )
}
