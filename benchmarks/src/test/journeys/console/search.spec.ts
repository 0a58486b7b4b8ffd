import { expect, test } from '../support/test.ts'
import { MAILBOX, PASSWORD } from '../support/site.ts'

test('ada finds log lines, opens one, and sees what stood around it', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('overheated AND press-2')
  await expect(ada.page.getByRole('progressbar', { name: 'Envelopes searched' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  )
  await expect(ada.page.getByRole('region', { name: 'State of the search' })).toContainText(/Complete\s*\d+ hits/)
  const first = ada.rows.first()
  await expect(first).toContainText(/press-2 controller: \w+ overheated, \d+ degrees, line stopped/)

  await ada.open(0)
  await expect(ada.panel.getByLabel('Text of the record')).toContainText('press-2 controller: ERROR')
  await expect(ada.panel.getByRole('cell', { name: 'error', exact: true })).toBeVisible()
  await expect(ada.panel).toContainText('role:auditor')
  await ada.panel.getByRole('tab', { name: 'Surrounding' }).click()
  const around = ada.panel.getByRole('list', { name: 'Surrounding records' }).getByRole('listitem')
  await expect(around.nth(10)).toBeVisible()
  await expect(around.and(ada.page.locator('[aria-current]'))).toContainText('overheated')
  await expect(around.first()).toContainText('press-2')

  await ada.page.getByRole('button', { name: 'Chain check' }).click()
  await expect(ada.page.getByRole('dialog')).toContainText('complete')
})

test('of the records around a hit, those that were found too are told from the others', async ({ as }) => {
  const ada = await as('ada')
  const id = await ada.search('sshd AND failed')
  await expect(ada.rows.nth(9)).toBeVisible()
  // Rows come in the order in which threads find them, another one each time: one that has another hit near it.
  let near = 0
  for (let row = 0; row < 10 && near < 2; row++) {
    const answer = await ada.call('GET', `/api/searches/${id}/rows/${row}/surrounding`)
    near = ((await answer.json()) as Array<{ isHit: boolean }>).filter(({ isHit }) => isHit).length
    if (near >= 2) {
      await ada.openRow(id, row)
    }
  }
  expect(near, 'hits near each other').toBeGreaterThanOrEqual(2)
  await ada.panel.getByRole('tab', { name: 'Surrounding' }).click()
  const around = ada.panel.getByRole('list', { name: 'Surrounding records' }).getByRole('listitem')
  const hits = around.filter({ hasText: /hit$/ })
  await expect(hits.first()).toContainText('Failed password')
  await expect(around.filter({ hasText: 'Accepted' }).first()).toBeVisible()
  await expect(hits.filter({ hasText: 'Accepted' })).toHaveCount(0)

  // And one near an end of its envelope.
  let records: Array<{ envelope: string; time: string; text: string }> = []
  const envelopes = () => new Set(records.map(({ envelope }) => envelope)).size
  for (let row = 0; row < 10 && envelopes() < 2; row++) {
    const wide = await ada.call('GET', `/api/searches/${id}/rows/${row}/surrounding?before=100&after=100`)
    records = (await wide.json()) as typeof records
  }
  expect(envelopes(), 'envelopes').toBeGreaterThan(1)
  expect(records.map(({ time }) => time)).toEqual(records.map(({ time }) => time).sort())
  expect(
    records.every(({ text }) => text.includes(' gate ')),
    'of the same file',
  ).toBe(true)
})

test('the keyboard is enough: search, walk through the rows, open and close', async ({ as }) => {
  const ada = await as('ada')
  // What listens to keys is there with the title, a moment after the page is drawn.
  await expect(ada.page).toHaveTitle('Search · Veilgate')
  await expect(ada.bar).toBeFocused()
  await ada.page.keyboard.press('Tab')
  await expect(ada.bar).not.toBeFocused()
  await ada.page.keyboard.press('/')
  await ada.page.keyboard.type('vibration AND gripper AND press-1')
  await ada.page.keyboard.press('Escape')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
  await ada.page.keyboard.press('Enter')
  await expect(ada.page.locator('[data-search-state=complete]')).toBeVisible()
  await ada.grid.focus()
  await ada.page.keyboard.press('j')
  await ada.page.keyboard.press('Enter')
  await expect(ada.panel.getByRole('heading', { name: /^Record 2/ })).toBeVisible()
  await ada.page.keyboard.press('Escape')
  await expect(ada.panel).toBeHidden()
})

test('a query that nothing answers to says so, and one that is no query says where', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('nothingofthekind')
  await expect(ada.page.getByText('Nothing was found')).toBeVisible()
  await ada.type('level:error AND (unit:sshd')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'bad')
  await expect(ada.page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled()
})

test('ada finds the mail that was routed as urgent, and reads it', async ({ as }) => {
  const ada = await as('ada')
  await ada.choose(MAILBOX)
  await ada.search('urgent')
  const row = ada.rows.filter({ hasText: 'URGENT: furnace 2 is leaking' })
  await expect(row).toHaveCount(1)
  await row.click()
  await expect(ada.panel.getByLabel('Text of the mail')).toContainText('Coolant on the floor of hall B')
  await expect(ada.panel).toContainText('deniz@plant.example')
})

test('ben finds the same lines as ada, cannot read them, and sees what is missing', async ({ as }) => {
  const [ada, ben] = [await as('ada'), await as('ben')]
  const hers = await ada.counts(await ada.search('overheated AND press-2'))
  const his = await ben.counts(await ben.search('overheated AND press-2'))
  // An envelope that does not open keeps its records together.
  expect(his.rows).toBeGreaterThan(0)
  expect(his.rows).toBeLessThanOrEqual(hers.rows)
  expect([hers.unreadable, his.unreadable]).toEqual([0, his.rows])
  await expect(ben.page.getByText(`${his.rows} of them not readable`)).toBeVisible()
  await expect(ben.rows.first()).toContainText('site:plant-7')
  await expect(ben.grid).not.toContainText('overheated')
  await ben.open(0)
  await expect(ben.panel.getByTestId('unreadable')).toContainText('site:plant-7')
  await expect(ben.panel).not.toContainText('ERROR')
  await expect(ben.panel.locator('[data-state=error]')).toHaveCount(0)
})

test('who has read nothing finds and opens the mail that was routed as urgent, by what is on the screen', async ({
  as,
  visitor,
}) => {
  const before = await as('ada')
  for (const { id } of (await (await before.call('GET', '/api/searches')).json()) as Array<{ id: string }>) {
    await before.call('DELETE', `/api/searches/${id}`)
  }
  const { page } = await visitor()
  await page.goto('/')
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('User name').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: `Try urgent in the mail to ${MAILBOX}` }).click()
  await page.getByText('URGENT: furnace 2 is leaking').click()
  await expect(page.getByText('Coolant on the floor of hall B')).toBeVisible()
})

test('eve finds lines and cannot open one; the page says which attributes she lacks', async ({ as }) => {
  const eve = await as('eve')
  const id = await eve.search('overheated AND press-2')
  const { rows, unreadable } = await eve.counts(id)
  expect(rows).toBeGreaterThan(0)
  expect(unreadable).toBe(rows)
  await expect(eve.rows.first()).toContainText('role:auditor')
  await expect(eve.grid).not.toContainText('overheated')
  await eve.open(0)
  const why = eve.panel.getByTestId('unreadable')
  await expect(why).toContainText('role:auditor')
  await expect(why).toContainText('site:plant-7')
  await expect(eve.panel).not.toContainText('ERROR')
  for (const part of ['', '/raw']) {
    const answer = await eve.call('GET', `/api/searches/${id}/rows/0${part}`)
    expect(await answer.text()).not.toContain('overheated')
  }
})

test('eve is refused in the mailbox, and told by which rule', async ({ as }) => {
  const eve = await as('eve')
  await eve.page.getByRole('combobox', { name: 'Scope' }).click()
  await expect(eve.page.getByRole('option', { name: 'plant' })).toBeVisible()
  await expect(eve.page.getByRole('option', { name: MAILBOX })).toHaveCount(0)
  // A search of hers that names it all the same, as somebody may have sent it to her.
  const urgent = { query: 'urgent', scope: 'mailbox-alice', mail: true }
  expect((await eve.call('POST', '/api/saved-searches', { name: 'urgent', query: urgent })).status()).toBe(201)
  await eve.page.goto('/saved')
  await eve.page.getByRole('button', { name: 'Open urgent' }).click()
  await expect(eve.verdict).toHaveAttribute('data-verdict', 'bad')
  await expect(eve.verdict).toContainText('mailboxes')
  await expect(eve.page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled()

  const check = await eve.call('POST', '/api/queries/check', urgent)
  expect(await check.json()).toMatchObject({ decision: { outcome: 'refused', rule: 'mailboxes' } })
  const start = await eve.call('POST', '/api/searches', urgent)
  expect(start.status()).toBe(403)
  expect(await start.json()).toMatchObject({ rule: 'mailboxes' })
})
