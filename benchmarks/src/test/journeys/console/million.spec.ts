import { test as plain, type Page } from '@playwright/test'
import { builtPages, type Pages } from '../support/pages.ts'
import { expect } from '../support/test.ts'
import { Visitor } from '../support/visitor.ts'

/** What somebody notices as a freeze, with room for a slow machine that does other things: idle, the longest is some 60 ms. */
const FREEZE = 1000
const ROWS = 1_000_000

/** Longest task of the page's own thread since this was asked last, in milliseconds. */
async function longestTask(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const seen = globalThis as unknown as { longest: number }
    // Tasks are told of a moment after they end.
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)))
    const { longest } = seen
    seen.longest = 0
    return longest
  })
}

async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { longest: number }
    seen.longest = 0
    new PerformanceObserver(list => {
      seen.longest = Math.max(seen.longest, ...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask', buffered: true })
  })
}

let pages: Pages
plain.beforeAll(async () => {
  pages = await builtPages()
})
plain.afterAll(async () => {
  await pages.close()
})

plain('a million rows come in, and are scrolled and walked through, without a freeze', async ({ page, context }) => {
  plain.setTimeout(180_000)
  await watchTasks(page)
  await page.goto(`${pages.url}/oauth2/authorization/veilgate`)
  const ada = new Visitor(page, context)
  await expect(ada.bar).toBeVisible()
  await ada.type('million')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
  await longestTask(page)

  await ada.bar.press('Enter')
  await expect(ada.rows.first()).toContainText(/\w/)
  await expect(page.locator('[data-search-state=complete]')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'State of the search' })).toContainText('1,000,000 hits')
  const coming = await longestTask(page)

  // All the way down in a hundred steps, one a frame, and up again at once.
  await ada.grid.evaluate(async grid => {
    for (let i = 1; i <= 100; i++) {
      grid.scrollTop = ((grid.scrollHeight - grid.clientHeight) * i) / 100
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
  })
  await expect(ada.grid.locator(`[aria-rowindex="${ROWS + 1}"]`)).toContainText(/\w/)
  const scrolling = await longestTask(page)

  await ada.grid.focus()
  await page.keyboard.press('Home')
  for (let i = 0; i < 50; i++) {
    await page.keyboard.press('j')
  }
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(ada.panel.getByRole('heading', { name: /1,000,000/ })).toBeVisible()
  const walking = await longestTask(page)

  // A screen of them exists, not a million.
  expect(await ada.rows.count()).toBeLessThan(200)
  console.log(`longest task: ${coming} ms as rows come in, ${scrolling} ms scrolling, ${walking} ms by keyboard`)
  for (const [what, millis] of Object.entries({ coming, scrolling, walking })) {
    expect(millis, `longest task, rows ${what}`).toBeLessThan(FREEZE)
  }
})
