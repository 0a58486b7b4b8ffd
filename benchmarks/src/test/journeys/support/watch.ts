import type { BrowserContext } from '@playwright/test'

/** What a status says is for the journey to judge, not a fault of the page. */
const EXPECTED = /^Failed to load resource: the server responded with a status of \d+/

/** Sees all that a page does and should not: violations of its policy, requests to anybody else, scripts that fail, dialogs. */
export class Watch {
  readonly faults: string[] = []

  constructor(private readonly origins: readonly string[]) {}

  async on(context: BrowserContext): Promise<void> {
    await context.exposeBinding('sayViolation', (_, what: string) => this.faults.push(`policy: ${what}`))
    await context.addInitScript(() => {
      const page = globalThis as unknown as { sayViolation: (what: string) => void }
      document.addEventListener('securitypolicyviolation', event =>
        page.sayViolation(`${event.effectiveDirective} ${event.blockedURI}`),
      )
    })
    context.on('request', request => this.request(request.url()))
    context.on('console', message => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) {
        this.faults.push(`console: ${message.text()}`)
      }
    })
    context.on('weberror', error => this.faults.push(`error: ${error.error().message}`))
    context.on('dialog', dialog => {
      this.faults.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  private request(address: string): void {
    const { origin, protocol } = new URL(address)
    if (!this.origins.includes(origin) && !['about:', 'blob:', 'data:'].includes(protocol)) {
      this.faults.push(`request: ${address}`)
    }
  }
}
