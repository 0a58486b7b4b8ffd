import { expect, test } from '../support/test.ts'
import { Visitor } from '../support/visitor.ts'

const OVER = 'Your session is over'

test('logging out in one tab takes the rows out of the other one, and the search out of the console', async ({
  as,
}) => {
  const ada = await as('ada')
  const id = await ada.search('overheated')
  await ada.open(0)
  const other = new Visitor(await ada.context.newPage(), ada.context)
  await other.page.goto(`/searches/${id}`)
  await other.open(0)
  const text = (await other.rows.first().textContent()) ?? ''
  expect(text).not.toBe('')

  await ada.logOut()
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(other.page.getByRole('dialog', { name: OVER })).toBeVisible()
  await expect(other.grid).toHaveCount(0)
  await expect(other.panel).toHaveCount(0)
  expect(await other.page.content()).not.toContain(text)

  // Nor does the button Back bring it back.
  await ada.page.goBack()
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect(ada.grid).toHaveCount(0)

  const next = await as('ada')
  expect((await next.call('GET', `/api/searches/${id}`)).status()).toBe(404)
  expect((await next.call('GET', `/api/searches/${id}/rows?from=0&count=1`)).status()).toBe(404)
})

test('a session that is gone empties its tabs by itself, and what was typed is there after the next login', async ({
  as,
}) => {
  const ada = await as('ada')
  await ada.search('overheated')
  const other = new Visitor(await ada.context.newPage(), ada.context)
  await other.page.goto(ada.page.url())
  await expect(other.rows.first()).toBeVisible()
  await other.type('overheated AND level:error')
  await ada.context.clearCookies()

  // Nobody clicks or types.
  for (const { page, grid } of [ada, other]) {
    await expect(page.getByRole('dialog', { name: OVER })).toBeVisible()
    await expect(grid).toHaveCount(0)
  }
  await other.page.getByRole('button', { name: 'Log in again' }).click()
  await other.typePassword('ada')
  await expect(other.bar).toHaveValue('overheated AND level:error')
})

test('asking is no use of a session, clicks and keys are', async ({ as }) => {
  const ada = await as('ada')
  const left = async () => {
    const session = await ada.call('GET', '/api/session')
    return ((await session.json()) as { ends: { seconds: number } }).ends.seconds
  }
  const before = await left()
  await ada.call('GET', '/api/rules')
  await ada.page.waitForTimeout(2100)
  await ada.call('GET', '/api/scopes')
  expect(await left()).toBeLessThan(before)
  const used = ada.page.waitForResponse('**/api/session/used')
  await ada.bar.press('a')
  await used
  expect(await left()).toBeGreaterThanOrEqual(before)
})
