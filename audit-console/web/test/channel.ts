/** Channels between tabs, in place of the browser's: tests are the other tabs. */
export class Channel extends EventTarget {
  static open: Channel[] = []
  /** What this tab told the others. */
  static told: unknown[] = []

  static install(): void {
    Channel.open = []
    Channel.told = []
    globalThis.BroadcastChannel = Channel as unknown as typeof BroadcastChannel
  }

  /** Another tab says something. */
  static hear(data: unknown): void {
    Channel.open.forEach(channel => channel.dispatchEvent(new MessageEvent('message', { data })))
  }

  constructor(readonly name: string) {
    super()
    Channel.open.push(this)
  }

  postMessage(data: unknown): void {
    Channel.told.push(data)
  }

  close(): void {
    Channel.open = Channel.open.filter(channel => channel !== this)
  }
}
