import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../support/test.ts'
import { MAILBOX, SITE } from '../support/site.ts'
import type { Visitor } from '../support/visitor.ts'

const row = (somebody: Visitor, name: string) =>
  somebody.page.getByRole('table', { name: 'Routes' }).getByRole('row').filter({ hasText: name })

async function routes(somebody: Visitor): Promise<void> {
  await somebody.page.getByRole('link', { name: 'Routes', exact: true }).click()
  await expect(somebody.page.getByRole('heading', { level: 1, name: 'Routes' })).toBeVisible()
}

async function make(oli: Visitor, where: string, query: string, name: string, topic: string): Promise<void> {
  await oli.page.getByRole('button', { name: 'New route' }).click()
  const dialog = oli.page.getByRole('dialog', { name: 'New route' })
  await dialog.getByRole('combobox', { name: 'Where' }).click()
  await oli.page.getByRole('option', { name: where }).click()
  await dialog.getByLabel('Query').fill(query)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('combobox', { name: 'What happens then' }).click()
  await oli.page.getByRole('option', { name: 'Publish to a topic' }).click()
  await dialog.getByLabel('Topic').fill(topic)
  await dialog.getByRole('button', { name: 'Install' }).click()
}

test('oli makes a route, it finds what arrives then, and he ends it', async ({ as }) => {
  const oli = await as('oli')
  await routes(oli)
  await make(oli, 'plant', 'leak AND press-1', 'leaks', 'alerts/leaks')
  await expect(oli.page.getByText('The route “leaks” is installed')).toBeVisible()
  await expect(row(oli, 'leaks')).toContainText('alerts/leaks')
  await expect(row(oli, 'leaks').locator('[data-name=Scope]')).toHaveText('plant')
  const matches = row(oli, 'leaks').locator('[data-name=Matches]')
  await expect(matches).toHaveText('0')

  appendFileSync(
    join(SITE, 'logs/press-1.log'),
    `${new Date().toISOString()} press-1 controller: ERROR leak at the main valve\n`,
  )
  await expect
    .poll(async () => {
      const all = (await (await oli.call('GET', '/api/routes')).json()) as Array<{ name: string; matches: number }>
      return all.find(({ name }) => name === 'leaks')?.matches
    })
    .toBe(1)
  await oli.page.reload()
  await expect(matches).toHaveText('1')

  await oli.page.getByRole('button', { name: 'Remove leaks' }).click()
  const dialog = oli.page.getByRole('dialog', { name: 'Remove the route “leaks”?' })
  await expect(dialog).toContainText('cannot be called back')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(row(oli, 'leaks')).toHaveCount(0)
})

test('ada makes a search a standing route when ben has approved it; oli ends it', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('overheated AND press-2')
  await ada.page.getByRole('button', { name: 'More about this search' }).click()
  await ada.page.getByRole('button', { name: 'Make it a standing route' }).click()
  const dialog = ada.page.getByRole('dialog', { name: 'Make it a standing route' })
  await dialog.getByLabel('Name').fill('hot-presses')
  await dialog.getByLabel('Address').fill('pager@demo.example')
  await dialog.getByLabel('Reason').fill('Night shift')
  await dialog.getByRole('button', { name: 'Install' }).click()
  await expect(ada.page.getByText(/a second person must approve the route/)).toBeVisible()
  await routes(ada)
  await expect(row(ada, 'urgent')).toHaveCount(1)
  await expect(row(ada, 'hot-presses')).toHaveCount(0)

  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  const request = ben.page.getByRole('article').filter({ hasText: 'hot-presses: forward pager@demo.example' })
  await expect(request).toContainText('Night shift')
  await request.getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(ben.page.getByText('is approved')).toBeVisible()

  await ada.page.getByRole('link', { name: /^Approvals/ }).click()
  await ada.page
    .getByRole('article')
    .filter({ hasText: 'hot-presses' })
    .getByRole('button', { name: 'Install the route' })
    .click()
  await expect(ada.page.getByText('The route “hot-presses” is installed')).toBeVisible()
  await routes(ada)
  await expect(row(ada, 'hot-presses')).toContainText('forward pager@demo.example')
  await expect(ada.page.getByRole('button', { name: /^(New route|Remove)/ })).toHaveCount(0)

  const oli = await as('oli')
  await routes(oli)
  await oli.page.getByRole('button', { name: 'Remove hot-presses' }).click()
  await oli.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row(oli, 'hot-presses')).toHaveCount(0)
})

test('a route into mail that is not urgent takes a second person, and eve gets none', async ({ as }) => {
  const oli = await as('oli')
  await routes(oli)
  await make(oli, MAILBOX, 'salary', 'salaries', 'alerts/salaries')
  await expect(oli.page.getByText(/a second person must approve the route/)).toBeVisible()
  await expect(row(oli, 'salaries')).toHaveCount(0)
  await oli.page.getByRole('link', { name: /^Approvals/ }).click()
  await expect(oli.page.getByRole('article').filter({ hasText: 'salaries: topic alerts/salaries' })).toContainText(
    'Waiting',
  )

  const eve = await as('eve')
  await eve.search('overheated AND press-2')
  await eve.page.getByRole('button', { name: 'More about this search' }).click()
  await eve.page.getByRole('button', { name: 'Make it a standing route' }).click()
  const dialog = eve.page.getByRole('dialog', { name: 'Make it a standing route' })
  await dialog.getByLabel('Name').fill('mine')
  await dialog.getByLabel('Address').fill('eve@demo.example')
  await dialog.getByRole('button', { name: 'Install' }).click()
  await expect(dialog.getByRole('alert')).toContainText('no rule allows this in plant')
})
