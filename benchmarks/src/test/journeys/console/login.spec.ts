import { expect, test } from '../support/test.ts'

test('a wrong password is refused, the right one lets in, and logging out ends the session', async ({ visitor }) => {
  const ada = await visitor()
  await ada.page.goto('/')
  await ada.page.getByRole('link', { name: 'Log in' }).click()
  await ada.typePassword('ada', 'veilgate-demx')
  await expect(ada.page.getByRole('alert')).toHaveText('User name or password is wrong.')
  expect((await ada.context.request.get('/api/session')).status()).toBe(401)

  await ada.typePassword('ada')
  const account = ada.page.getByRole('button', { name: 'Ada Auditor: account' })
  await account.click()
  await expect(ada.page.getByText('role:auditor')).toBeVisible()
  await expect(ada.page.getByText('site:plant-7')).toBeVisible()
  await ada.page.keyboard.press('Escape')

  const cookies = await ada.context.cookies()
  await ada.logOut()
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible()
  // Also for somebody who has kept the cookie.
  await ada.context.addCookies(cookies)
  expect((await ada.context.request.get('/api/session')).status()).toBe(401)
})

test('no token and no session is within reach of scripts', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('overheated')
  const reachable = await ada.page.evaluate(() => [
    document.cookie,
    ...Object.values({ ...localStorage }),
    ...Object.values({ ...sessionStorage }),
  ])
  const secrets = (await ada.context.cookies()).map(cookie => cookie.value)
  for (const text of reachable) {
    expect(text).not.toMatch(/eyJ/)
    secrets.forEach(secret => expect(text).not.toContain(secret))
  }
  for (const cookie of await ada.context.cookies()) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  }
})

test('a session that ends says so, and what was typed is there after the next login', async ({ as }) => {
  const ada = await as('ada')
  await ada.type('level:error')
  await ada.context.clearCookies()
  await ada.bar.fill('level:error AND gripper')
  const dialog = ada.page.getByRole('dialog', { name: 'Your session is over' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Log in again' }).click()
  await ada.typePassword('ada')
  await expect(ada.bar).toHaveValue('level:error AND gripper')
})
