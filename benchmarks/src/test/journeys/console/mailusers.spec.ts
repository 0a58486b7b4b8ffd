import { expect, test } from '../support/test.ts'

test('kim enrols a user of mail; the link gives the files once, and kim sees it and takes the certificate back', async ({
  as,
  visitor,
}) => {
  const address = `nora-${Date.now()}@demo.example`
  const kim = await as('kim')
  await kim.page.getByRole('link', { name: 'Mail users' }).click()
  await kim.page.getByRole('button', { name: 'Enrol a user' }).click()
  const enrol = kim.page.getByRole('dialog', { name: 'Enrol a user' })
  await enrol.getByLabel('Address').fill(address)
  await enrol.getByLabel(/^Reads by/).fill('mail.demo.example')
  await enrol.getByLabel(/^Sends by/).fill('proxy.demo.example')
  await enrol.getByRole('button', { name: 'Enrol' }).click()
  const given = kim.page.getByRole('dialog', { name: /two things, on two ways/ })
  const link = await given.getByRole('group', { name: 'The link' }).locator('pre').innerText()
  const passphrase = await given.getByRole('group', { name: 'The passphrase' }).locator('pre').innerText()
  expect(passphrase).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){4}$/)
  expect(link).not.toContain(passphrase)
  await given.getByRole('button', { name: 'Done' }).click()
  const row = kim.page.getByRole('row', { name: new RegExp(address) })
  await expect(row).toContainText('not used yet')
  await expect(row).toContainText('None yet')

  const nora = await visitor()
  await nora.page.goto(link)
  const saved = nora.page.waitForEvent('download')
  await nora.page.getByRole('button', { name: 'Get my files' }).click()
  expect((await saved).suggestedFilename()).toBe(`${address}.zip`)
  await expect(nora.page.getByText('The files are yours')).toBeVisible()
  expect(nora.page.url()).not.toContain('#')
  expect(await nora.context.cookies()).toEqual([])

  const late = await visitor()
  await late.page.goto(link)
  await late.page.getByRole('button', { name: 'Get my files' }).click()
  await expect(late.page.getByRole('alert')).toContainText('This link was used before')

  await kim.page.reload()
  await expect(row).toContainText('used')
  await expect(row.locator('code')).toHaveAttribute('title', /^[0-9a-f]{64}$/)
  await row.getByRole('button', { name: /^Take back/ }).click()
  const confirm = kim.page.getByRole('dialog', { name: /Take the certificate/ })
  await confirm.getByRole('button', { name: 'Take back' }).click()
  await expect(row).toContainText('Taken back')
})

test('a link that kim cancelled gives nothing, and neither does half of one', async ({ as, visitor }) => {
  const address = `olga-${Date.now()}@demo.example`
  const kim = await as('kim')
  const made = await kim.call('POST', '/api/mail-users/enrol', { address, key: 'p256' })
  expect(made.status()).toBe(201)
  const { link } = (await made.json()) as { link: string }
  await kim.page.goto('/mail-users')
  const row = kim.page.getByRole('row', { name: new RegExp(address) })
  await row.getByRole('button', { name: /^Cancel link/ }).click()
  await kim.page.getByRole('dialog').getByRole('button', { name: 'Cancel link' }).click()
  await expect(row).toContainText('cancelled')
  const olga = await visitor()
  for (const [tried, said] of [
    [link, 'was cancelled'],
    [link.slice(0, -1), 'not whole'],
  ] as const) {
    await olga.page.goto('about:blank')
    await olga.page.goto(tried)
    await olga.page.getByRole('button', { name: 'Get my files' }).click()
    await expect(olga.page.getByRole('alert')).toContainText(said)
  }
  await olga.page.goto('about:blank')
  await olga.page.goto('/enrolment')
  await expect(olga.page.getByRole('alert')).toContainText('Copy all of it')
})
