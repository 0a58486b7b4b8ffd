import { expect, test } from '../support/test.ts'
import { verify } from '../support/verify.ts'
import type { Visitor } from '../support/visitor.ts'

interface Row {
  envelope: string
  ordinal: number
}

interface Detail {
  row: Row
  fields: Array<{ name: string; value: string; term?: string; filter?: string }>
  keywords: Array<{ keyword: string; term?: string }>
}

/** Goes round the page: what a query finds, to its end. */
async function found(somebody: Visitor, query: string): Promise<Row[]> {
  const start = await somebody.call('POST', '/api/searches', { query, scope: 'plant' })
  expect(start.status(), query).toBe(201)
  const { id } = (await start.json()) as { id: string }
  await expect
    .poll(async () => ((await (await somebody.call('GET', `/api/searches/${id}`)).json()) as { state: string }).state, {
      message: query,
    })
    .toBe('complete')
  const rows = await somebody.call('GET', `/api/searches/${id}/rows?from=0&count=500`)
  await somebody.call('DELETE', `/api/searches/${id}`)
  return ((await rows.json()) as { rows: Row[] }).rows
}

const picker = (somebody: Visitor) => somebody.page.getByRole('button', { name: /^Time:/ })

test('every + of a record keeps it, and every - leaves it out', async ({ as }) => {
  const ada = await as('ada')
  const query = 'overheated AND press-2'
  const id = await ada.search(query)
  const detail = (await (await ada.call('GET', `/api/searches/${id}/rows/0`)).json()) as Detail
  const isIt = ({ envelope, ordinal }: Row) => envelope === detail.row.envelope && ordinal === detail.row.ordinal
  const terms = new Set([...detail.fields, ...detail.keywords.slice(0, 8)].flatMap(({ term }) => term ?? []))
  expect(detail.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['time', 'sender', 'source', 'level']))
  expect(detail.fields.filter(({ term, filter }) => term === undefined && filter === undefined)).toEqual([])
  for (const term of terms) {
    expect((await found(ada, `${query} AND ${term}`)).some(isIt), `+ ${term}`).toBe(true)
    expect((await found(ada, `${query} AND NOT ${term}`)).some(isIt), `- ${term}`).toBe(false)
  }

  // And what a person clicks.
  await ada.openRow(id, 0)
  const [time] = detail.fields.filter(({ name }) => name === 'time')
  await ada.panel.getByRole('button', { name: `Add ${time?.term} to the query` }).click()
  await expect(ada.bar).toHaveValue(`${query} AND ${time?.term}`)
  await ada.panel.getByRole('button', { name: `Exclude ${time?.term}` }).click()
  await expect(ada.bar).toHaveValue(`${query} AND NOT ${time?.term}`)
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
  await ada.bar.fill('')
  await expect(ada.panel.getByRole('button', { name: /^Exclude level:error: not now, write first/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await ada.panel.getByRole('button', { name: /^Search only what .* sent$/ }).click()
  await expect(ada.page.getByText('Only from')).toBeVisible()
  await ada.search(query)
  await expect(ada.rows.first()).toBeVisible()
})

test('a query that is too long is not cut, and nothing is told of an older text', async ({ as }) => {
  const ada = await as('ada')
  const long = `${'overheated OR '.repeat(700)}press-2 NOT secret`
  await ada.type(long)
  await expect(ada.page.getByText(/has 9,818 characters; it may have 8,192/)).toBeVisible()
  await expect(ada.bar).toHaveValue(long)
  await expect(ada.page.getByRole('button', { name: 'Search', exact: true })).toBeDisabled()

  await ada.type('overheated')
  const understood = ada.page.getByRole('group', { name: 'How the query is understood' })
  await expect(understood).toContainText('overheated')
  await ada.bar.pressSequentially('x')
  await expect(understood).not.toContainText(/overheated$/)
})

test('that nothing was found goes out as evidence, too', async ({ as }, info) => {
  const ada = await as('ada')
  const id = await ada.search('nothingofthekind')
  const search = (await (await ada.call('GET', `/api/searches/${id}`)).json()) as Record<string, number>
  expect(search).toMatchObject({ rows: 0, envelopesFound: 0 })
  expect(search.envelopes).toBe(search.envelopesDone)
  await expect(ada.page.getByText(new RegExp(`All ${search.envelopes?.toLocaleString('en')} envelopes`))).toBeVisible()
  await ada.page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('menuitem', { name: /JSON Lines/ }).click(),
  ])
  const file = info.outputPath('nothing.zip')
  await download.saveAs(file)
  const { status, said } = verify(file)
  expect(said).toMatch(/\b0 rows\b/)
  expect(status, said).toBe(0)
})

test('Enter thrice is one search, an example is searched at once, and a new load keeps the time', async ({ as }) => {
  const ada = await as('ada')
  const held = async () => ((await (await ada.call('GET', '/api/searches')).json()) as Array<{ id: string }>).length
  for (const { id } of (await (await ada.call('GET', '/api/searches')).json()) as Array<{ id: string }>) {
    await ada.call('DELETE', `/api/searches/${id}`)
  }
  await ada.page.reload()
  await expect(ada.bar).toBeFocused()
  await picker(ada).click()
  await ada.page.getByRole('button', { name: 'Last 7 days' }).click()
  await ada.type('overheated AND press-2')
  await expect(ada.verdict).toHaveAttribute('data-verdict', 'good')
  // At once, as by an impatient finger: whoever presses it again a while after the end searches again.
  await Promise.all([1, 2, 3].map(() => ada.page.keyboard.press('Enter')))
  await expect(ada.page.locator('[data-search-state=complete]')).toBeVisible()
  expect(await held()).toBe(1)
  await expect(ada.page).toHaveTitle(/^[\d,]+ hits in plant, \d\d:\d\d:\d\d · Veilgate$/)

  await ada.page.reload()
  await expect(ada.page.locator('[data-search-state=complete]')).toBeVisible()
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 7 days')
  await expect(ada.page.getByText(/results of the search before/)).toBeHidden()
  await expect(ada.page.getByRole('columnheader', { name: /^Time, / })).toBeVisible()

  for (const { id } of (await (await ada.call('GET', '/api/searches')).json()) as Array<{ id: string }>) {
    await ada.call('DELETE', `/api/searches/${id}`)
  }
  await ada.page.goto('/')
  await ada.page.getByRole('button', { name: 'Try level:error' }).click()
  await expect(ada.rows.first()).toBeVisible()
})

test('a link leads where it says after the login, and says why it opens nothing', async ({ as, visitor }) => {
  const ada = await as('ada')
  const id = await ada.search('overheated AND press-2')
  const ben = await visitor()
  await ben.page.goto(`/searches/${id}`)
  await ben.page.getByRole('link', { name: 'Log in' }).click()
  await ben.typePassword('ben')
  await expect(ben.page.getByRole('alert')).toContainText(/No longer there, or not yours.*ask for the query/)
  expect(new URL(ben.page.url()).pathname).toBe(`/searches/${id}`)
})
