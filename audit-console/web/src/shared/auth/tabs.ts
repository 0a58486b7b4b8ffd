/**
 * What the tabs of a browser tell each other, without any content: the session was `used`, somebody is `leaving` (logs out), it is `over`. A tab believes none of it, but
 * asks the server.
 */
export type Word = 'used' | 'leaving' | 'over'

const NAME = 'veilgate.session'
const WORDS: readonly unknown[] = ['used', 'leaving', 'over']

let channel: BroadcastChannel | undefined

function open(): BroadcastChannel | undefined {
  if (channel === undefined && typeof BroadcastChannel !== 'undefined') {
    channel = new BroadcastChannel(NAME)
  }
  return channel
}

export function tellTabs(word: Word): void {
  open()?.postMessage(word)
}

/** Gives what stops it. */
export function hearTabs(hear: (word: Word) => void): () => void {
  const from = open()
  const listener = ({ data }: MessageEvent<unknown>) => {
    if (WORDS.includes(data)) {
      hear(data as Word)
    }
  }
  from?.addEventListener('message', listener)
  return () => {
    from?.removeEventListener('message', listener)
    if (from === channel) {
      channel = undefined
    }
    from?.close()
  }
}
