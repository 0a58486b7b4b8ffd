import { test as plain, expect } from '@playwright/test'
import { CONSOLE, PROVIDER, SLOWDOWN } from './site.ts'
import { Visitor } from './visitor.ts'
import { Watch } from './watch.ts'

interface Options {
  colorScheme?: 'light' | 'dark'
  timezoneId?: string
}

interface Fixtures {
  watch: Watch
  /** A browser of its own, nobody logged in. */
  visitor: (options?: Options) => Promise<Visitor>
  /** Somebody logged in, in a browser of her own. */
  as: (user: string, options?: Options) => Promise<Visitor>
}

/** Journeys: whatever else they look at, every one fails if a page does what its watch sees. */
export const test = plain.extend<Fixtures>({
  watch: [
    async ({}, use) => {
      const watch = new Watch([CONSOLE, ...(PROVIDER === undefined ? [] : [PROVIDER])].map(url => new URL(url).origin))
      await use(watch)
      expect(watch.faults).toEqual([])
    },
    { auto: true },
  ],
  visitor: async ({ browser, watch }, use, info) => {
    const contexts: Array<{ close: () => Promise<void> }> = []
    await use(async options => {
      const context = await browser.newContext({ ...options })
      contexts.push(context)
      await watch.on(context)
      const page = await context.newPage()
      if (SLOWDOWN > 1) {
        await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
      }
      return new Visitor(page, context)
    })
    if (info.status !== info.expectedStatus) {
      console.log(`${info.title}: where it stopped\n${await watch.state()}`)
    }
    for (const context of contexts) {
      await context.close()
    }
  },
  as: async ({ visitor }, use) => {
    await use(async (user, options) => {
      const somebody = await visitor(options)
      await somebody.logIn(user)
      return somebody
    })
  },
})

export { expect }
