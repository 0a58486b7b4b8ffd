import { expect, type APIResponse, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { PASSWORD } from './site.ts'

export type State = 'complete' | 'limited' | 'stopped' | 'failed'

/** Somebody with a browser. */
export class Visitor {
  private csrf = ''

  constructor(
    readonly page: Page,
    readonly context: BrowserContext,
  ) {}

  async logIn(user: string, password = PASSWORD): Promise<void> {
    await this.page.goto('/')
    await this.page.getByRole('link', { name: 'Log in' }).click()
    await this.typePassword(user, password)
    await expect(this.page.getByRole('button', { name: /: account$/ })).toBeVisible()
  }

  async typePassword(user: string, password = PASSWORD): Promise<void> {
    await this.page.getByLabel('User name').fill(user)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Log in' }).click()
  }

  async logOut(): Promise<void> {
    await this.page.getByRole('button', { name: /: account$/ }).click()
    await this.page.getByRole('button', { name: 'Log out' }).click()
  }

  /** Goes round the pages: what the server itself allows. */
  async call(method: string, path: string, data?: unknown, headers?: Record<string, string>): Promise<APIResponse> {
    if (this.csrf === '') {
      const session = await this.context.request.get('/api/session')
      this.csrf = ((await session.json()) as { csrf: string }).csrf
    }
    return this.context.request.fetch(path, { method, data, headers: { 'X-CSRF-TOKEN': this.csrf, ...headers } })
  }

  get bar(): Locator {
    return this.page.getByRole('textbox', { name: 'Query' })
  }

  get verdict(): Locator {
    return this.page.locator('[data-verdict]')
  }

  get grid(): Locator {
    return this.page.getByRole('grid')
  }

  /** Rows of hits, without the head. */
  get rows(): Locator {
    return this.grid.getByRole('rowgroup').getByRole('row')
  }

  get panel(): Locator {
    return this.page.getByRole('complementary', { name: /^(Record|Mail)$/ })
  }

  async choose(scope: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Scope' }).click()
    await this.page.getByRole('option', { name: scope }).click()
  }

  /** What was opened, in the sandboxed frame. */
  get frame(): Locator {
    return this.panel.locator('iframe')
  }

  async type(query: string): Promise<void> {
    await this.bar.fill(query)
    // Closes the list of completions.
    await this.bar.press('Escape')
  }

  /** Searches, to the end; the number of the search. */
  async search(query: string, state: State = 'complete'): Promise<string> {
    const before = this.page.url()
    await this.type(query)
    await expect(this.verdict).toHaveAttribute('data-verdict', 'good')
    await this.bar.press('Enter')
    await this.page.waitForURL(url => url.href !== before && url.pathname.startsWith('/searches/'))
    const id = new URL(this.page.url()).pathname.replace('/searches/', '')
    // Under the new address the search before it is there until the page is drawn again.
    await expect(this.page.locator(`[data-search="${id}"]`)).toHaveAttribute('data-search-state', state)
    return id
  }

  /** What the console says of a search: the rows on the screen come a moment later. */
  async counts(id: string): Promise<{ rows: number; unreadable: number }> {
    return (await (await this.call('GET', `/api/searches/${id}`)).json()) as { rows: number; unreadable: number }
  }

  async open(place: number): Promise<void> {
    await this.rows.nth(place).click()
    await expect(this.panel).toBeVisible()
  }

  /** Opens a row by its number, wherever it stands in the list: newest first. */
  async openRow(search: string, row: number): Promise<void> {
    const answer = await this.call('GET', `/api/searches/${search}/rows/${row}/place?sort=-time`)
    const { place } = (await answer.json()) as { place: number }
    await this.grid.focus()
    await this.page.keyboard.press('Home')
    for (let at = 0; at < place; at++) {
      await this.page.keyboard.press('j')
    }
    await this.page.keyboard.press('Enter')
    await expect(this.panel).toBeVisible()
  }
}
