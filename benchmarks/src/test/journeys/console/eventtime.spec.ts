import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../support/test.ts'
import { SITE } from '../support/site.ts'
import type { Visitor } from '../support/visitor.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

interface Search {
  from?: string
  to?: string
  rows: number
  others?: { count: number; earliest: string; latest: string }
}

interface Histogram {
  from: string
  to: string
  widthMillis: number
  counts: number[]
}

async function read<T>(somebody: Visitor, path: string): Promise<T> {
  return (await (await somebody.call('GET', path)).json()) as T
}

const picker = (somebody: Visitor) => somebody.page.getByRole('button', { name: /^Time:/ })

async function choose(somebody: Visitor, from: number, to: number): Promise<void> {
  const minute = (at: number): string => new Date(at).toISOString().slice(0, 16)
  await picker(somebody).click()
  const form = somebody.page.locator('form').filter({ hasText: 'From and to' })
  await form.getByLabel('From').fill(minute(from))
  await form.getByLabel('To').fill(minute(to))
  await form.getByRole('button', { name: 'Use this time' }).click()
  await expect(form).toBeHidden()
}

test('dragging over bars of the chart finds just what they count', async ({ as }) => {
  const ada = await as('ada')
  await picker(ada).click()
  await ada.page.getByRole('button', { name: 'All of this epoch' }).click()
  const id = await ada.search('overheated')
  const chart = await read<Histogram>(ada, `/api/searches/${id}/histogram?buckets=80`)
  const filled = chart.counts.flatMap((count, i) => (count > 0 ? [i] : []))
  expect(filled.length, 'bars').toBeGreaterThan(2)
  // The last is left out: of the newest lines more may come.
  const first = filled[0] ?? 0
  const last = filled.at(-2) ?? 0
  const counted = chart.counts.slice(first, last + 1).reduce((sum, count) => sum + count, 0)

  const plot = ada.page.locator('.u-over')
  await expect(plot).toBeVisible()
  const box = await plot.boundingBox()
  const middle = (bar: number) => (box?.x ?? 0) + ((box?.width ?? 0) * (bar + 0.5)) / chart.counts.length
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2
  await ada.page.mouse.move(middle(first), y)
  await ada.page.mouse.down()
  await ada.page.mouse.move(middle(last), y, { steps: 5 })
  await ada.page.mouse.up()
  await ada.page.waitForURL(url => url.pathname.startsWith('/searches/') && !url.pathname.endsWith(id))
  const next = new URL(ada.page.url()).pathname.replace('/searches/', '')
  await expect(ada.page.locator(`[data-search="${next}"]`)).toHaveAttribute('data-search-state', 'complete')
  await expect(picker(ada)).not.toHaveAccessibleName('Time: All of this epoch')

  const narrowed = await read<Search>(ada, `/api/searches/${next}`)
  const start = Date.parse(chart.from)
  expect(Date.parse(narrowed.from ?? '')).toBe(start + first * chart.widthMillis)
  expect(Date.parse(narrowed.to ?? '')).toBe(start + (last + 1) * chart.widthMillis)
  expect(narrowed.rows).toBe(counted)
  await expect(ada.page.getByRole('region', { name: 'State of the search' })).toContainText(`${counted} hits`)
})

test('a line without a zone, of a host whose clock is an hour ahead of UTC, is of the last 24 hours', async ({
  as,
}) => {
  const ada = await as('ada')
  const written = new Date(Date.now() + HOUR).toISOString().slice(0, 23).replace('T', ' ')
  appendFileSync(join(SITE, 'logs/press-1.log'), `${written} press-1 controller: WARN zoneless9 of UTC+1\n`)
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 24 hours')
  await expect(async () => {
    await ada.page.goto('/')
    await ada.search('zoneless9')
    await expect(ada.rows.first()).toContainText('zoneless9', { timeout: 1000 })
  }).toPass()
  await expect(ada.rows).toHaveCount(1)
  await expect(ada.rows.first().locator('[data-source=read]')).toHaveAttribute('title', /^When it was read/)
  await ada.open(0)
  await expect(ada.panel).toContainText('When it was read: it names no time itself, or none that can be')
})

test('what was found and is of other times is counted, and shown on demand', async ({ as }) => {
  const ada = await as('ada')
  const now = Date.now()
  await choose(ada, now - 2 * DAY, now - DAY)
  const none = await read<Search>(ada, `/api/searches/${await ada.search('overheated AND press-2')}`)
  expect(none.rows).toBe(0)
  const others = none.others?.count ?? 0
  expect(others).toBeGreaterThan(0)
  await expect(ada.page.getByText('Nothing was found in this time')).toBeVisible()
  const note = ada.page.locator('[data-others]')
  await expect(note).toContainText(`${others} more record${others === 1 ? ' is' : 's are'} of`)
  const before = ada.page.url()
  await note.getByRole('button', { name: /^show/ }).click()
  await ada.page.waitForURL(url => url.href !== before)
  await expect(ada.page.locator('[data-search-state=complete]')).toBeVisible()
  await expect(ada.page.getByRole('region', { name: 'State of the search' })).toContainText(
    others === 1 ? '1 hit' : `${others} hits`,
  )
  await expect(note).toHaveCount(0)
})

test('a time that goes into the future takes no trapdoor of it', async ({ as }) => {
  const ada = await as('ada')
  const now = Date.now()
  await choose(ada, now - DAY, now + 120 * DAY)
  await ada.search('overheated AND press-3')
  await expect(ada.page.getByText('Complete', { exact: true })).toBeVisible()
  const kim = await as('kim')
  const { entries } = await read<{ entries: Array<{ details: Array<{ name: string; value: string }> }> }>(
    kim,
    '/api/log?kind=trapdoor&actor=ada&limit=200',
  )
  const epochs = entries.flatMap(({ details }) => details.filter(({ name }) => name === 'epochs'))
  expect(epochs.length).toBeGreaterThan(0)
  const present = new Date().toISOString().slice(0, 7)
  expect([...new Set(epochs.map(({ value }) => value))].filter(epoch => epoch > present)).toEqual([])
})
