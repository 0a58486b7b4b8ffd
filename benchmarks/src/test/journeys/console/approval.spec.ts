import { expect, test } from '../support/test.ts'
import { MAILBOX } from '../support/site.ts'
import { ask, REASON } from '../support/approvals.ts'

test('ada asks, ben approves, ada searches; nobody approves alone', async ({ as }) => {
  const ada = await as('ada')
  const { id } = await ask(ada, 'furnace')
  expect((await ada.call('POST', `/api/approvals/${id}/approve`, {})).status()).toBe(403)
  const early = await ada.call('POST', '/api/searches', { query: 'furnace', scope: 'mailbox-alice', mail: true })
  expect(early.status(), 'asked for, not found').toBe(202)

  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  const request = ben.page
    .getByRole('article', { name: /^Request of / })
    .filter({ hasText: 'furnace' })
    .filter({ hasText: REASON })
    .first()
  await request.getByRole('button', { name: 'Approve' }).click()
  const dialog = ben.page.getByRole('dialog', { name: 'Approve this request?' })
  await dialog.getByLabel(/Reason/).fill('Seen')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(ben.page.getByText('is approved')).toBeVisible()

  await ada.page.getByRole('link', { name: /^Approvals/ }).click()
  const approved = ada.page.getByRole('article').filter({ hasText: 'by ben' }).first()
  await expect(approved).toContainText('Seen')
  await approved.getByRole('button', { name: 'Put it into the search bar' }).click()
  await expect(ada.verdict).toContainText('Approved by a second person')
  await ada.search('furnace')
  await expect(ada.rows.filter({ hasText: 'Furnace 2 again' })).toHaveCount(1)
})

test('ben opens what the log keeps sealed, and is in the log with it; ada cannot', async ({ as }) => {
  const ada = await as('ada')
  await ada.choose(MAILBOX)
  await ada.search('urgent')
  await ada.page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(ada.page.getByText('sealed details').first()).toBeVisible()
  await expect(ada.page.getByRole('button', { name: /Open the sealed details/ })).toHaveCount(0)

  const ben = await as('ben')
  await ben.page.getByRole('link', { name: 'Log', exact: true }).click()
  const input = ben.page.locator('input')
  // From when this is asked for, all entries are no longer on the screen.
  const asked = ben.page.waitForResponse(response => {
    const { pathname } = new URL(response.url())
    const { kind, actor } = pathname === '/api/log/search' ? response.request().postDataJSON() : {}
    return kind === 'trapdoor' && actor === 'ada'
  })
  await input.and(ben.page.getByLabel('Kind')).fill('trapdoor')
  await input.and(ben.page.getByLabel('Who')).fill('ada')
  await asked
  const trapdoor = ben.page.getByRole('row').filter({ hasText: 'mailbox-alice' }).first()
  await expect(trapdoor).not.toContainText('urgent')
  await trapdoor.getByRole('button', { name: /Open the sealed details/ }).click()
  await expect(trapdoor.getByRole('group', { name: /^Sealed details/ })).toContainText('urgent')

  const { entries } = (await (await ben.call('GET', '/api/log?actor=ben&kind=decryption')).json()) as {
    entries: Array<{ details: Array<{ name: string }> }>
  }
  expect(entries[0]?.details.map(({ name }) => name)).toContain('entry')
})

test('ben asks and cannot approve himself', async ({ as }) => {
  const ben = await as('ben')
  const { id } = await ask(ben, 'gripper')
  const own = await ben.call('POST', `/api/approvals/${id}/approve`, {})
  expect(own.status()).toBe(403)
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  const request = ben.page.getByRole('article').filter({ hasText: 'gripper' }).first()
  await expect(request).toContainText('Your own request: somebody else has to decide it.')
  await expect(request.getByRole('button', { name: 'Approve' })).toHaveCount(0)
})

test('ben refuses, and ada reads why', async ({ as }) => {
  const ada = await as('ada')
  await ask(ada, 'badge')
  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  await ben.page
    .getByRole('article')
    .filter({ hasText: 'badge' })
    .first()
    .getByRole('button', { name: 'Refuse' })
    .click()
  const dialog = ben.page.getByRole('dialog', { name: 'Refuse this request?' })
  await expect(dialog.getByRole('button', { name: 'Refuse' })).toBeDisabled()
  await dialog.getByLabel(/Reason/).fill('Not your hall')
  await dialog.getByRole('button', { name: 'Refuse' }).click()
  await expect(dialog).toBeHidden()
  await ada.page.getByRole('link', { name: /^Approvals/ }).click()
  await expect(ada.page.getByRole('article').filter({ hasText: 'badge' }).first()).toContainText('Not your hall')
})
