import { expect, test } from '../support/test.ts'
import type { Visitor } from '../support/visitor.ts'

/** What stands below the bar beside the verdict. */
const understood = (somebody: Visitor) => somebody.page.getByRole('group', { name: 'How the query is understood' })
const searched = (somebody: Visitor) => somebody.page.getByRole('region', { name: 'What was searched' })
const edited = (somebody: Visitor) => somebody.page.getByText(/results of the search before; press Enter/)
const picker = (somebody: Visitor) => somebody.page.getByRole('button', { name: /^Time:/ })
const write = (somebody: Visitor, query: string) =>
  somebody.page.getByRole('button', { name: `Write ${query}`, exact: true })

async function rows(somebody: Visitor, id: string): Promise<Array<{ text: string; sender: string }>> {
  const answer = await somebody.call('GET', `/api/searches/${id}/rows?from=0&count=500`)
  return ((await answer.json()) as { rows: Array<{ text: string; sender: string }> }).rows
}

/** What is typed by who knows another language, and what a click makes of it. */
const FOREIGN: Array<[typed: string, instead: string]> = [
  ['failed -root', 'failed NOT root'],
  ['failed !root', 'failed NOT root'],
  ['failed \u2212root', 'failed NOT root'],
  ['failed -(root OR bruno)', 'failed NOT (root OR bruno)'],
  ['failed or accepted', 'failed OR accepted'],
  ['failed and not root', 'failed AND NOT root'],
  ['failed && root', 'failed AND root'],
  ['user=root', '"user=root"'],
  ['app: sshd', 'app:sshd'],
  ['app:(sshd or controller)', '(app:sshd OR app:controller)'],
  ['level>=error', '(level:error OR level:critical OR level:alert OR level:emergency OR level:fatal)'],
  ['root..bruno', '"root..bruno"'],
  ['failed?', 'failed'],
  ['*overheated*', 'overheated'],
  ['/overheated/', 'overheated'],
  ['overheated~', 'overheated'],
  ['\u201Cfailed password\u201D', '"failed password"'],
]

test('what other languages write is refused with what to write, and that finds something', async ({ as }) => {
  const ada = await as('ada')
  for (const [typed, instead] of FOREIGN) {
    await ada.type(typed)
    await expect(write(ada, instead), typed).toBeVisible()
    await expect(ada.verdict, typed).toHaveAttribute('data-verdict', 'bad')
    await expect(ada.page.getByRole('button', { name: 'Search', exact: true }), typed).toBeDisabled()
    await write(ada, instead).click()
    await expect(ada.bar, typed).toHaveValue(instead)
    await expect(ada.verdict, typed).toHaveAttribute('data-verdict', 'good')
  }
  // Without the time it would find more than was meant.
  await ada.type('level:error AND @timestamp>=now-1h')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'bad')
  await expect(ada.page.getByRole('button', { name: /^Write / })).toHaveCount(0)
  for (const typed of ['press-*', '10.0.0.*', '10.0.0.0/24', 'bytes:>1000', 'user:*', '*', 'we*b', '-root']) {
    await ada.type(typed)
    await expect(ada.verdict, typed).toHaveAttribute('data-verdict', 'bad')
  }
  // Round the page, too.
  const start = await ada.call('POST', '/api/searches', { query: 'failed -root', scope: 'plant' })
  expect(start.status()).toBe(400)

  await ada.type('failed -root')
  await write(ada, 'failed NOT root').click()
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
  const before = ada.page.url()
  await ada.bar.press('Enter')
  await ada.page.waitForURL(url => url.href !== before)
  const id = new URL(ada.page.url()).pathname.replace('/searches/', '')
  await expect(ada.page.locator(`[data-search="${id}"]`)).toHaveAttribute('data-search-state', 'complete')
  const found = await rows(ada, id)
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(({ text }) => /\broot\b/.test(text))).toEqual([])
  expect(found.filter(({ text }) => !/Failed/.test(text))).toEqual([])
})

test('text in quotes stays text, and no hint is more than text', async ({ as }) => {
  const ada = await as('ada')
  for (const text of [
    '"a -x b"',
    '"failed or not"',
    '"user=root"',
    '/var/log/auth.log',
    'alice@demo.example',
    'read-only',
  ]) {
    await ada.type(text)
    await expect(ada.verdict, text).toHaveAttribute('data-verdict', 'good')
  }
  const image = '<img/src=x/onerror=alert(1)>'
  await ada.type(`a or "${image}"`)
  await expect(write(ada, `a OR "${image}"`)).toBeVisible()
  await ada.type('failed \u202Etoor')
  await expect(write(ada, 'failed toor')).toBeVisible()
  await ada.type(`"${image}"`)
  await expect(understood(ada)).toContainText('onerror')
  await expect(ada.page.locator('img[src="x"]')).toHaveCount(0)
})

test('terms say what is searched, and mistakes are warned of', async ({ as }) => {
  const ada = await as('ada')
  await ada.type('press-2 NOT (level:error OR 42)')
  await expect(understood(ada)).toContainText(
    /word press\s*AND\s*number or pid 2\s*AND\s*NOT\s*\(\s*level error\s*OR\s*number or pid 42\s*\)/,
  )
  await expect(understood(ada)).toContainText('in any order')
  await expect(understood(ada)).toContainText('Left out, as no keyword has it: -')
  for (const [typed, meant] of [
    ['hots:gate', 'host:gate'],
    ['level:erorr', 'level:error'],
  ] as const) {
    await ada.type(typed)
    await expect(ada.page.getByRole('note', { name: 'Perhaps a mistake' })).toContainText('the nearest is')
    await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
    await write(ada, meant).click()
    await expect(ada.bar).toHaveValue(meant)
    await expect(ada.page.getByRole('note', { name: 'Perhaps a mistake' })).toHaveCount(0)
  }
})

test('an approver sees the terms and the senders of what is asked', async ({ as }) => {
  const ada = await as('ada')
  const asked = await ada.call('POST', '/api/searches', {
    query: 'bonus NOT (pension contract)',
    scope: 'mailbox-alice',
    mail: true,
    senders: ['mail-proxy'],
    reason: 'Complaint 12',
  })
  expect(asked.status()).toBe(202)
  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  const request = ben.page.getByRole('article').filter({ hasText: 'bonus' }).first()
  await expect(request.getByRole('group', { name: 'How the query is understood' })).toContainText(
    /word bonus\s*AND\s*NOT\s*\(\s*word pension\s*AND\s*word contract\s*\)/,
  )
  await expect(request).toContainText('mail-proxy')
})

test('bar and results name the same search, also after Back, and an edited bar says that it does not', async ({
  as,
}) => {
  const ada = await as('ada')
  const first = await ada.search('overheated AND press-2')
  await expect(searched(ada)).toContainText('overheated AND press-2')
  await expect(searched(ada)).toContainText('in plant')
  await expect(searched(ada)).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d to \d{4}-\d\d-\d\d \d\d:\d\d/)
  await expect(edited(ada)).toBeHidden()

  const { sender } = (await rows(ada, first))[0] as { sender: string }
  await ada.open(0)
  await ada.panel.getByRole('button', { name: 'only this sender' }).click()
  await expect(edited(ada)).toBeVisible()
  await picker(ada).click()
  await ada.page.getByRole('button', { name: 'Last 7 days' }).click()
  await ada.search('vibration AND gripper')
  await expect(searched(ada)).toContainText('vibration AND gripper')
  await expect(searched(ada)).toContainText(`only from ${sender}`)
  await expect(edited(ada)).toBeHidden()

  await ada.page.goBack()
  await expect(searched(ada)).toContainText('overheated AND press-2')
  await expect(searched(ada)).not.toContainText('only from')
  await expect(ada.bar).toHaveValue('overheated AND press-2')
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 24 hours')
  await expect(ada.page.getByText('Only from', { exact: true })).toBeHidden()
  await ada.page.goForward()
  await expect(ada.bar).toHaveValue('vibration AND gripper')
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 7 days')
  await expect(ada.page.getByRole('button', { name: 'From all senders' })).toBeVisible()
  await expect(edited(ada)).toBeHidden()

  await ada.type('vibration AND valve')
  await expect(edited(ada)).toBeVisible()
  await ada.page.getByRole('button', { name: 'Undo the changes' }).click()
  await expect(ada.bar).toHaveValue('vibration AND gripper')
  await expect(edited(ada)).toBeHidden()

  // By the address alone, as from a bookmark: the time is the one that was searched.
  await ada.page.reload()
  await expect(ada.bar).toHaveValue('vibration AND gripper')
  await expect(ada.page.getByRole('button', { name: 'From all senders' })).toBeVisible()
  await expect(edited(ada)).toBeHidden()
})

test('to drag across the chart is a search of its own', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('vibration')
  const before = ada.page.url()
  const chart = ada.page.locator('.u-over')
  await expect(chart).toBeVisible()
  const box = (await chart.boundingBox()) as { x: number; y: number; width: number; height: number }
  await ada.page.mouse.move(box.x + 2, box.y + box.height / 2)
  await ada.page.mouse.down()
  await ada.page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
  await ada.page.mouse.up()
  await ada.page.waitForURL(url => url.href !== before && url.pathname.startsWith('/searches/'))
  await expect(searched(ada)).toContainText('vibration')
  await expect(picker(ada)).toHaveAccessibleName(/^Time: \d{4}.* to \d{4}/)
  await expect(edited(ada)).toBeHidden()
  await ada.page.goBack()
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 24 hours')
})

test('saved searches and routes keep senders, and one that is refused by now says what to write', async ({ as }) => {
  const ada = await as('ada')
  const found = await rows(ada, await ada.search('overheated AND press-2'))
  const { sender } = found[0] as { sender: string }
  const old = { query: 'failed -root', scope: 'plant', senders: [sender] }
  expect((await ada.call('POST', '/api/saved-searches', { name: 'old', query: old })).status()).toBe(201)
  await ada.page.getByRole('link', { name: 'Saved searches', exact: true }).click()
  await ada.page.getByRole('button', { name: 'Open old' }).click()
  await expect(ada.bar).toHaveValue('failed -root')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'bad')
  await write(ada, 'failed NOT root').click()
  await expect(ada.page.getByRole('button', { name: 'From all senders' })).toBeVisible()
  await ada.search('failed NOT root')
  await expect(searched(ada)).toContainText(`only from ${sender}`)

  await ada.page.getByRole('button', { name: 'More about this search' }).click()
  await ada.page.getByRole('button', { name: 'Save this search' }).click()
  const save = ada.page.getByRole('dialog', { name: 'Save this search' })
  await expect(save).toContainText(`only from ${sender}`)
  await save.getByLabel('Name').fill('new')
  await save.getByRole('button', { name: 'Save' }).click()
  await expect(save).toBeHidden()
  const kept = (await (await ada.call('GET', '/api/saved-searches')).json()) as Array<{
    name: string
    query: { senders?: string[] }
  }>
  expect(kept.find(({ name }) => name === 'new')?.query.senders).toEqual([sender])

  await ada.page.getByRole('button', { name: 'More about this search' }).click()
  await ada.page.getByRole('button', { name: 'Make it a standing route' }).click()
  const route = ada.page.getByRole('dialog', { name: 'Make it a standing route' })
  await expect(route).toContainText(`only from ${sender}`)
  await route.getByLabel('Name').fill('no-root')
  await route.getByLabel('Address').fill('pager@demo.example')
  await route.getByRole('button', { name: 'Install' }).click()
  await expect(ada.page.getByText(/a second person must approve the route/)).toBeVisible()
  const ben = await as('ben')
  await ben.page.getByRole('link', { name: /^Approvals/ }).click()
  const request = ben.page.getByRole('article').filter({ hasText: 'no-root' })
  await expect(request).toContainText(sender)
  await expect(request.getByRole('group', { name: 'How the query is understood' })).toContainText(
    /word failed\s*AND\s*NOT\s*word root/,
  )
})

test('the form of a route says what to write, as the bar does', async ({ as }) => {
  const oli = await as('oli')
  await oli.page.getByRole('link', { name: 'Routes', exact: true }).click()
  await oli.page.getByRole('button', { name: 'New route' }).click()
  const dialog = oli.page.getByRole('dialog', { name: 'New route' })
  await dialog.getByRole('combobox', { name: 'Where' }).click()
  await oli.page.getByRole('option', { name: 'plant' }).click()
  await dialog.getByRole('textbox', { name: 'Query', exact: true }).fill('leak -test')
  await dialog.getByLabel('Name').fill('leaks-no-test')
  await dialog.getByLabel('Address').fill('pager@demo.example')
  await dialog.getByRole('button', { name: 'Write leak NOT test' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Query', exact: true })).toHaveValue('leak NOT test')
  await expect(dialog.getByRole('group', { name: 'How the query is understood' })).toContainText(
    /word leak\s*AND\s*NOT\s*word test/,
  )
  await expect(dialog.getByRole('button', { name: 'Install' })).toBeEnabled()
})
