import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { MAILBOX } from '../support/site.ts'
import { expect, test } from '../support/test.ts'

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Serious and critical, of WCAG 2.1 A and AA. */
async function violations(page: Page, of: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // What fades in has colours of its own until it is there; it begins to a few frames after it can be seen.
  await page.evaluate(async () => {
    const passing = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    for (let quiet = 0; quiet < 3; quiet = passing().length > 0 ? 0 : quiet + 1) {
      await Promise.allSettled(passing().map(animation => animation.finished))
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
  })
  const axe = new AxeBuilder({ page })
    // In the page alone: frames are left out, and otherwise each look would put its findings together in a page of its own.
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    // Its content is a stranger's.
    .exclude('iframe')
  const { violations: all } = await of(axe).analyze()
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
}

async function show(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  const other = scheme === 'light' ? 'dark' : 'light'
  await expect(page.locator(`:root[data-mantine-color-scheme='${other}']`)).toHaveCount(0)
}

test('everybody can use the pages, light and dark', async ({ visitor }) => {
  test.setTimeout(600_000) // it looks at some thirty views, twice
  const ada = await visitor()
  const found: Record<string, string[]> = {}
  const look = async (name: string, page = ada.page) => {
    found[name] = await violations(page, axe => axe.withTags(EVERYTHING))
    // The dark page is the same one but for its colours.
    await show(page, 'dark')
    found[`${name}, dark`] = await violations(page, axe => axe.withRules(COLOURS))
    await show(page, 'light')
  }
  await ada.page.goto(`/enrolment#${'A'.repeat(43)}`)
  await ada.page.getByRole('button', { name: 'Get my files' }).waitFor()
  await look('enrolment link')
  await ada.page.goto('/')
  await ada.page.getByRole('link', { name: 'Log in' }).waitFor()
  await look('welcome')
  await ada.page.getByRole('link', { name: 'Log in' }).click()
  await ada.page.getByLabel('User name').waitFor()
  await look('login')
  await ada.logIn('ada')
  await ada.search('overheated AND press-2')
  await ada.rows.first().waitFor()
  await look('results')
  await ada.open(0)
  await ada.panel.getByLabel('Text of the record').waitFor()
  await look('record')
  await ada.panel.getByRole('button', { name: 'Close' }).click()
  await ada.page.getByRole('button', { name: 'Chain check' }).click()
  await expect(ada.page.getByRole('dialog')).toContainText('complete')
  await look('chain check')
  await ada.page.keyboard.press('Escape')
  await expect(ada.page.getByRole('dialog')).toHaveCount(0)
  await ada.page.getByRole('button', { name: /^Time:/ }).click()
  await ada.page.getByLabel('From', { exact: true }).waitFor()
  await look('time picker')
  await ada.page.keyboard.press('Escape')
  for (const name of ['Save this search', 'Make it a standing route']) {
    await ada.page.getByRole('button', { name: 'More about this search' }).click()
    await ada.page.getByRole('button', { name }).waitFor()
    await look('more about a search')
    await ada.page.getByRole('button', { name }).click()
    await ada.page.getByRole('dialog', { name }).waitFor()
    await look(name)
    await ada.page.keyboard.press('Escape')
    await expect(ada.page.getByRole('dialog')).toHaveCount(0)
  }
  await ada.choose(MAILBOX)
  await ada.search('urgent')
  await ada.rows.filter({ hasText: 'URGENT: furnace 2 is leaking' }).click()
  await ada.panel.getByLabel('Text of the mail').waitFor()
  await look('mail')
  for (const name of ['approvals', 'rules', 'routes', 'log', 'saved', 'leakage']) {
    await ada.page.goto(`/${name}`)
    await ada.page.locator('h1').first().waitFor()
    await expect(ada.page.locator('[aria-busy=true]')).toHaveCount(0)
    await look(name)
  }
  const kim = await visitor()
  await kim.logIn('kim')
  for (const name of ['keys', 'readers', 'mail-users', 'senders', 'status', 'rules']) {
    await kim.page.goto(`/${name}`)
    await kim.page.locator('h1').first().waitFor()
    await expect(kim.page.locator('[aria-busy=true]')).toHaveCount(0)
    await look(`${name} of a keeper`, kim.page)
  }
  for (const [name, button, title] of [
    ['keys', 'Rotate keys', 'Rotate keys'],
    ['keys', 'Back up', 'Back up the keys'],
    ['readers', 'Issue a key', 'Issue a key'],
    ['mail-users', 'Enrol a user', 'Enrol a user'],
    ['senders', 'Register a sender', 'Register a sender'],
    ['senders', 'Access of plant to the gateway', 'Access of plant'],
    ['rules', 'Edit logs', 'Edit logs'],
  ] as const) {
    await kim.page.goto(`/${name}`)
    await kim.page.getByRole('button', { name: button }).click()
    await kim.page.getByRole('dialog', { name: title }).waitFor()
    await look(`dialog: ${title}`, kim.page)
  }
  const oli = await visitor()
  await oli.logIn('oli')
  await oli.page.goto('/routes')
  await oli.page.getByRole('button', { name: 'Remove urgent' }).waitFor()
  await look('routes of an operator', oli.page)
  await oli.page.getByRole('button', { name: 'New route' }).click()
  await oli.page.getByRole('dialog', { name: 'New route' }).waitFor()
  await look('dialog: New route', oli.page)
  expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
})
