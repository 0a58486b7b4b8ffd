import { expect, test } from '../support/test.ts'
import { PASSWORD } from '../support/site.ts'
import type { Visitor } from '../support/visitor.ts'

async function logIn(somebody: Visitor, user: string, password = PASSWORD): Promise<void> {
  await somebody.page.getByRole('textbox', { name: /^Username/ }).fill(user)
  await somebody.page.getByRole('textbox', { name: /^Password/ }).fill(password)
  await somebody.page.getByRole('button', { name: 'Sign In' }).click()
}

test('ada logs in at Keycloak, searches and logs out there too; eve comes with her own rights', async ({ visitor }) => {
  const ada = await visitor()
  await ada.page.goto('/')
  await ada.page.getByRole('link', { name: 'Log in' }).click()
  await logIn(ada, 'ada', 'veilgate-demx')
  await expect(ada.page.getByText('Invalid username or password.')).toBeVisible()
  await logIn(ada, 'ada')
  await ada.page.getByRole('button', { name: /: account$/ }).click()
  await expect(ada.page.getByText('site:plant-7')).toBeVisible()
  await ada.page.keyboard.press('Escape')

  await ada.search('overheated AND press-2')
  await expect(ada.rows.first()).toContainText('controller: pump overheated')
  await ada.open(0)
  await expect(ada.panel.getByLabel('Text of the record')).toContainText('overheated')

  await ada.logOut()
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible()
  await ada.page.getByRole('link', { name: 'Log in' }).click()
  // Keycloak has forgotten her: it asks again.
  await logIn(ada, 'eve')
  await expect(ada.page.getByRole('button', { name: /: account$/ })).toBeVisible()
  const session = await ada.context.request.get('/api/session')
  expect(await session.json()).toMatchObject({ user: 'eve', roles: ['auditor'], attributes: [] })
  const refused = await ada.call('POST', '/api/searches', { query: 'urgent', scope: 'mailbox-alice', mail: true })
  expect(refused.status()).toBe(403)
})

test('the console asks the gateway with tokens of the issuer: kim lets a sender in and shuts it out', async ({
  visitor,
}) => {
  const kim = await visitor()
  await kim.page.goto('/')
  await kim.page.getByRole('link', { name: 'Log in' }).click()
  await logIn(kim, 'kim')
  await expect(kim.page.getByRole('button', { name: /: account$/ })).toBeVisible()
  const mqtt = { name: 'press-of-keycloak', kind: 'mqtt' }
  const given = await kim.call('POST', '/api/senders/credential', mqtt)
  expect(given.status()).toBe(200)
  expect(await given.json()).toMatchObject({ ...mqtt, secret: expect.stringMatching(/^vg_/) })
  expect((await kim.call('POST', '/api/senders/credential/remove', mqtt)).status()).toBe(204)
  expect((await kim.call('POST', '/api/senders/credential/remove', mqtt)).status()).toBe(404)
})
