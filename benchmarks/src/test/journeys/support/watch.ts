import type { BrowserContext, Page, Request } from '@playwright/test'

/** What a status says is for the journey to judge, not a fault of the page. */
const EXPECTED = /^Failed to load resource: the server responded with a status of \d+/

/** Sees all that a page does and should not: violations of its policy, requests to anybody else, scripts that fail, dialogs. */
export class Watch {
  readonly faults: string[] = []
  private readonly refused: string[] = []
  private readonly pending = new Map<Request, number>()
  private readonly pages: Page[] = []

  constructor(private readonly origins: readonly string[]) {}

  async on(context: BrowserContext): Promise<void> {
    await context.exposeBinding('sayViolation', (_, what: string) => this.faults.push(`policy: ${what}`))
    await context.addInitScript(() => {
      const page = globalThis as unknown as { sayViolation: (what: string) => void }
      document.addEventListener('securitypolicyviolation', event =>
        page.sayViolation(`${event.effectiveDirective} ${event.blockedURI}`),
      )
    })
    context.on('page', page => this.pages.push(page))
    context.on('request', request => {
      this.pending.set(request, Date.now())
      this.request(request.url())
    })
    context.on('requestfinished', request => this.pending.delete(request))
    context.on('requestfailed', request => {
      this.pending.delete(request)
      this.refused.push(`${request.method()} ${path(request)}: ${request.failure()?.errorText ?? 'failed'}`)
    })
    context.on('response', response => {
      if (response.status() >= 400) {
        this.refused.push(`${response.request().method()} ${path(response.request())}: ${response.status()}`)
      }
    })
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

  /** What tells why a journey stands still: requests that are not answered, and refused ones, with all that the pages show. */
  async state(): Promise<string> {
    const waiting = [...this.pending].map(
      ([request, since]) => `${request.method()} ${path(request)}: no answer for ${Date.now() - since} ms`,
    )
    const shown = this.pages.map(async page => {
      const content = await page
        .locator('body')
        .ariaSnapshot({ timeout: 5_000 })
        .catch(() => 'cannot be read')
      return `${page.url()}\n${content.slice(-4_000)}`
    })
    return [...this.refused.slice(-20), ...waiting, ...(await Promise.all(shown))].join('\n')
  }

  private request(address: string): void {
    const { origin, protocol } = new URL(address)
    if (!this.origins.includes(origin) && !['about:', 'blob:', 'data:'].includes(protocol)) {
      this.faults.push(`request: ${address}`)
    }
  }
}

const path = (request: Request): string => new URL(request.url()).pathname
