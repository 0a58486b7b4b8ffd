import { expect, test } from '../support/test.ts'
import { searchApproved } from '../support/approvals.ts'

test('mails whose attachments take too long to be read are no hits, and are checked from their list', async ({
  as,
}) => {
  const ada = await as('ada')
  // Header and text of a mail cannot say that none of its attachments has the word.
  const search = await searchApproved(ada, await as('ben'), '(furnace OR readings) AND NOT rolling')
  const before = await ada.counts(search)
  await expect(ada.grid).not.toContainText('Readings of')
  await ada.page.getByRole('button', { name: '2 mails not checked' }).click()
  const list = ada.page.getByRole('dialog', { name: 'Mails that were not checked' })
  const mail = (subject: string) => list.getByRole('listitem').filter({ hasText: subject })
  await expect(mail('Readings of furnace 2')).toContainText('log@plant.example')

  await list.getByRole('button', { name: 'Check all' }).click()
  await expect(mail('Readings of furnace 2')).toContainText('takes too long still')
  await mail('Readings of press 1')
    .getByRole('button', { name: `found: row ${before.rows + 1}` })
    .click()
  await expect(list).toHaveCount(0)
  await expect(ada.panel.getByLabel('Text of the mail')).toContainText('nightshift')
  await expect(ada.grid).toContainText('Readings of press 1')
  await expect(ada.page.getByRole('button', { name: '1 mail not checked' })).toBeVisible()
  expect((await ada.counts(search)).rows).toBe(before.rows + 1)
})
