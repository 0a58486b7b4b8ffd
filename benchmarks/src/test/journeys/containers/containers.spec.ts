import { expect, test } from '../support/test.ts'
import { LOG_WORD, MAILBOX, MAIL_WORD, PASSWORD } from '../support/site.ts'

test('ada logs in at Keycloak, finds and reads a line of the agent and a mail of the proxy, all by TLS', async ({
  visitor,
}) => {
  const ada = await visitor()
  await ada.page.goto('/')
  await ada.page.getByRole('link', { name: 'Log in' }).click()
  await ada.page.getByRole('textbox', { name: /^Username/ }).fill('ada')
  await ada.page.getByRole('textbox', { name: /^Password/ }).fill(PASSWORD)
  await ada.page.getByRole('button', { name: 'Sign In' }).click()
  await expect(ada.page.getByRole('button', { name: /: account$/ })).toBeVisible()

  await ada.search(LOG_WORD)
  await expect(ada.rows).toHaveCount(1)
  await ada.open(0)
  await expect(ada.panel.getByLabel('Text of the record')).toContainText(LOG_WORD)

  await ada.choose(MAILBOX)
  await ada.search('urgent')
  await expect(ada.rows).toHaveCount(1)
  await ada.rows.first().click()
  await expect(ada.panel.getByLabel('Text of the mail')).toContainText(MAIL_WORD)

  await ada.logOut()
  await expect(ada.page.getByRole('link', { name: 'Log in' })).toBeVisible()
})
