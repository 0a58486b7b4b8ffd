import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

/** Serious and critical, of WCAG 2.1 A and AA. */
async function violations(page: Page): Promise<string[]> {
  const { violations: all } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    // Its content is a stranger's.
    .exclude('iframe')
    .analyze()
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`everybody can use the pages, ${colorScheme}`, async ({ visitor }) => {
    const ada = await visitor({ colorScheme })
    const found: Record<string, string[]> = {}
    const look = async (name: string, page = ada.page) => {
      found[name] = await violations(page)
    }
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
    for (const name of ['approvals', 'rules', 'log', 'saved', 'leakage']) {
      await ada.page.goto(`/${name}`)
      await ada.page.locator('h1').first().waitFor()
      await expect(ada.page.locator('[aria-busy=true]')).toHaveCount(0)
      await look(name)
    }
    const kim = await visitor({ colorScheme })
    await kim.logIn('kim')
    for (const name of ['keys', 'readers', 'senders', 'status', 'rules']) {
      await kim.page.goto(`/${name}`)
      await kim.page.locator('h1').first().waitFor()
      await expect(kim.page.locator('[aria-busy=true]')).toHaveCount(0)
      await look(`${name} of a keeper`, kim.page)
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
  })
}
