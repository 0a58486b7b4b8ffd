import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { searchApproved } from '../support/approvals.ts'
import { MAILBOX, PICTURES } from '../support/site.ts'

/** Of the docs, against a demonstration that was just started. */
async function picture(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  // The pointer and what it rests on are not what is shown.
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${PICTURES}/console-${name}.png`, animations: 'disabled', caret: 'hide' })
}

for (const [colorScheme, suffix] of [
  ['light', ''],
  ['dark', '-dark'],
] as const) {
  test(`search and record, ${colorScheme}`, async ({ as }) => {
    const ada = await as('ada', { colorScheme })
    await ada.page.getByRole('button', { name: /^Time:/ }).click()
    await ada.page.getByRole('button', { name: /Last hour/ }).click()
    await ada.search('vibration AND (press-1 OR press-2) AND NOT gripper')
    await expect(ada.rows.first()).toContainText('vibration')
    await expect(ada.page.locator('main canvas').first()).toBeVisible()
    await picture(ada.page, `search${suffix}`)
    if (colorScheme === 'light') {
      await ada.open(2)
      await ada.panel.getByRole('tab', { name: 'Surrounding' }).click()
      await ada.page.getByRole('button', { name: /Hits over time/ }).click()
      await expect(ada.panel.getByRole('list', { name: 'Surrounding records' })).toBeInViewport()
      await picture(ada.page, 'record')
    }
  })
}

test('mail', async ({ as }) => {
  const ada = await as('ada')
  await ada.choose(MAILBOX)
  await ada.search('urgent')
  await ada.rows.filter({ hasText: 'URGENT: furnace 2 is leaking' }).click()
  await expect(ada.panel.getByLabel('Text of the mail')).toContainText('Coolant')
  await picture(ada.page, 'mail')
})

test('mails that were not checked', async ({ as }) => {
  const ada = await as('ada')
  await searchApproved(ada, await as('ben'), '(furnace OR readings) AND NOT forging')
  await ada.page.getByRole('button', { name: /not checked$/ }).click()
  const list = ada.page.getByRole('dialog', { name: 'Mails that were not checked' })
  await list.getByRole('button', { name: 'Check all' }).click()
  await expect(list.getByRole('button', { name: /^found/ })).toBeVisible()
  await expect(list).toContainText('takes too long still')
  await picture(ada.page, 'unchecked')
})

test('what cannot be read', async ({ as }) => {
  const ben = await as('ben')
  await ben.search('overheated')
  await ben.open(0)
  await expect(ben.panel.getByTestId('unreadable')).toBeVisible()
  await picture(ben.page, 'unreadable')
})

test('a request for approval, and its decision', async ({ as }) => {
  const ada = await as('ada')
  await ada.choose(MAILBOX)
  await ada.type('pressure AND valve')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'wait')
  await ada.page.getByLabel(/Why do you need this/).fill('The alarm of valve 3 was reported as silent')
  await ada.page.getByRole('button', { name: 'What the gateway learns' }).click()
  await expect(ada.page.getByRole('link', { name: 'What this means, in plain words' })).toBeInViewport({ ratio: 1 })
  await picture(ada.page, 'ask')
  await ada.page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(ada.page.getByText('Asked: a second person must approve')).toBeVisible()

  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  await expect(ben.page.getByRole('article', { name: /^Request of / }).first()).toBeVisible()
  await picture(ben.page, 'approvals')
})

test('a new route', async ({ as }) => {
  const oli = await as('oli')
  await oli.page.getByRole('link', { name: 'Routes' }).click()
  await oli.page.getByRole('button', { name: 'New route' }).click()
  const dialog = oli.page.getByRole('dialog', { name: 'New route' })
  await dialog.getByRole('combobox', { name: 'Where' }).click()
  await oli.page.getByRole('option', { name: 'plant' }).click()
  await dialog.getByLabel('Query').fill('level:error AND overheated')
  await dialog.getByLabel('Name').fill('overheated')
  await dialog.getByRole('combobox', { name: 'What happens then' }).click()
  await oli.page.getByRole('option', { name: 'Publish to a topic' }).click()
  await dialog.getByLabel('Topic').fill('alerts/overheated')
  await picture(oli.page, 'routes')
})

test('rules, keys, log', async ({ as }) => {
  const kim = await as('kim')
  for (const [link, name] of [
    ['Rules', 'rules'],
    ['Keys', 'keys'],
    ['Log', 'log'],
  ] as const) {
    await kim.page.getByRole('link', { name: link, exact: true }).click()
    await expect(kim.page.getByRole('heading', { level: 1, name: link })).toBeVisible()
    await expect(kim.page.locator('[data-state=data]')).toBeVisible()
    await picture(kim.page, name)
  }
})
