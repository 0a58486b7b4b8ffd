import type { Response } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const LIMIT = 400_000
const PAGE = ['document', 'script', 'stylesheet', 'font', 'image']

test('all that the page is takes at most 400 kB to come, from the first address to hits and their chart', async ({
  visitor,
}) => {
  const ada = await visitor()
  const loaded: Response[] = []
  ada.page.on('response', response => {
    if (PAGE.includes(response.request().resourceType()) && response.status() === 200) {
      loaded.push(response)
    }
  })
  await ada.logIn('ada')
  await ada.search('overheated AND press-2')
  await expect(ada.rows.first()).toBeVisible()
  await expect(ada.page.locator('main canvas').first()).toBeVisible()

  let total = 0
  for (const response of loaded) {
    const path = new URL(response.url()).pathname
    const { responseBodySize } = await response.request().sizes()
    total += responseBodySize
    if (/\.(js|css)$/.test(path) && responseBodySize > 2048) {
      expect(await response.headerValue('content-encoding'), path).toBe('gzip')
    }
  }
  const scripts = loaded.filter(response => response.url().endsWith('.js'))
  expect(scripts.length, 'scripts').toBeGreaterThan(3)
  expect(total).toBeGreaterThan(100_000)
  expect(total).toBeLessThanOrEqual(LIMIT)
})
