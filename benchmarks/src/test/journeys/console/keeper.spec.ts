import { expect, test } from '../support/test.ts'

test('kim changes a rule; who changed an older list is told, and loses nothing unnoticed', async ({ as }) => {
  const [kim, other] = [await as('kim'), await as('kim')]
  for (const somebody of [kim, other]) {
    await somebody.page.getByRole('link', { name: 'Rules' }).click()
    await somebody.page.getByRole('button', { name: 'Edit logs' }).click()
  }
  const dialogs = [kim, other].map(somebody => somebody.page.getByRole('dialog', { name: 'Edit logs' }))
  for (const [i, dialog] of dialogs.entries()) {
    await dialog.getByLabel('Times an hour').fill(i === 0 ? '900' : '800')
    await expect(dialog.getByTestId('summary')).toContainText(i === 0 ? '900' : '800')
    await dialog.getByRole('button', { name: 'Put into the list' }).click()
  }
  const before = (await (await kim.call('GET', '/api/rules')).json()) as { version: number }
  await kim.page.getByRole('button', { name: 'Save all rules' }).click()
  await expect(kim.page.getByText('The rules are saved and hold from now on')).toBeVisible()

  await other.page.getByRole('button', { name: 'Save all rules' }).click()
  await expect(other.page.getByRole('alert')).toContainText('Somebody else has changed the rules meanwhile')
  await expect(other.page.getByRole('listitem').filter({ hasText: 'logs' }).last()).toContainText('800')
  await other.page.getByRole('button', { name: 'Load the present rules, drop mine' }).click()
  await expect(other.page.getByRole('listitem').filter({ hasText: 'logs' }).last()).toContainText('900')
  const after = (await (await kim.call('GET', '/api/rules')).json()) as { version: number }
  expect(after.version).toBeGreaterThan(before.version)
})

test('kim rotates the keys; what was sealed before is still found and read', async ({ as }) => {
  const kim = await as('kim')
  await kim.page.getByRole('link', { name: 'Keys' }).click()
  const keys = kim.page.getByRole('table', { name: 'Keys' }).getByRole('row')
  await expect(keys.first()).toBeVisible()
  const before = await keys.count()
  await kim.page.getByRole('button', { name: 'Rotate keys' }).click()
  const dialog = kim.page.getByRole('dialog', { name: 'Rotate keys' })
  await expect(dialog.getByRole('button', { name: 'Rotate' })).toBeDisabled()
  await dialog.getByLabel(/to confirm/).fill('rotate')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await expect(kim.page.getByText(/New keys are in use, with bundle no/)).toBeVisible()
  await expect(kim.page.getByText('Older, still opens').first()).toBeVisible() // the list comes a moment later
  await expect.poll(() => keys.count()).toBeGreaterThan(before)

  const ada = await as('ada')
  const id = await ada.search('overheated AND press-3')
  await expect(ada.rows.first()).toContainText('overheated')
  expect(await ada.counts(id)).toMatchObject({ unreadable: 0 })
})

test('kim sees in the log what others did, and mail is searched for without its words being there', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('overheated AND press-1')
  await ada.choose('alice@demo.example')
  await ada.search('urgent')
  const kim = await as('kim')
  await kim.page.getByRole('link', { name: 'Log', exact: true }).click()
  const entries = kim.page.getByRole('table', { name: 'Entries of the log' })
  await expect(entries).toContainText('ada')
  await expect(kim.page.getByText('sealed details').first()).toBeVisible()
  await expect(entries).not.toContainText(/keyword urgent|query urgent/)
  const response = await kim.context.request.get('/api/log/export')
  expect(response.status()).toBe(200)
})

test('kim gives a sender access to the gateway, sees the secret once, and takes it away', async ({ as }) => {
  const kim = await as('kim')
  await kim.page.getByRole('link', { name: 'Senders' }).click()
  const access = kim.page.getByRole('button', { name: 'Access of plant to the gateway' })
  await access.click()
  const dialog = kim.page.getByRole('dialog', { name: 'Access of plant' })
  const token = dialog.getByRole('group', { name: 'HTTP token' })
  await token.getByRole('button', { name: 'Make one' }).click()
  await expect(dialog.getByRole('status')).toContainText('Shown this once')
  await expect(token).toContainText('given out')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await access.click()
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await token.getByRole('button', { name: 'Take away' }).click()
  await expect(token).not.toContainText('given out')
})
