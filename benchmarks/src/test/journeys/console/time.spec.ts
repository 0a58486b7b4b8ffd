import { expect, test } from '../support/test.ts'
import type { Visitor } from '../support/visitor.ts'

const DAY = 24 * 60 * 60_000
/** Of India, all year, in which the fields of the picker are. */
const OFFSET = 5.5 * 60 * 60_000

const picker = (somebody: Visitor) => somebody.page.getByRole('button', { name: /^Time:/ })

const minute = (at: number): string => new Date(Math.floor(at / 60_000) * 60_000 + OFFSET).toISOString().slice(0, 16)

/** What the console was asked for. */
async function asked(somebody: Visitor, id: string): Promise<{ from?: string; to?: string; rows: number }> {
  return (await (await somebody.call('GET', `/api/searches/${id}`)).json()) as {
    from?: string
    to?: string
    rows: number
  }
}

test('the time that is chosen is the time that is searched', async ({ as }) => {
  const ada = await as('ada', { timezoneId: 'Asia/Kolkata' })
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 24 hours')
  await picker(ada).click()
  await ada.page.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(picker(ada)).toHaveAccessibleName('Time: Last 7 days')
  const week = await asked(ada, await ada.search('overheated AND press-2'))
  expect(Date.parse(week.to ?? '') - Date.parse(week.from ?? '')).toBe(7 * DAY)
  expect(week.rows).toBeGreaterThan(0)

  const choose = async (from: number, to: number) => {
    await picker(ada).click()
    const form = ada.page.locator('form').filter({ hasText: 'From and to' })
    await expect(form).toContainText('Asia/Calcutta')
    await form.getByLabel('From').fill(minute(to))
    await form.getByLabel('To').fill(minute(from))
    await expect(form.getByText('The first time must be before the second')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Use this time' })).toBeDisabled()
    await form.getByLabel('From').fill(minute(from))
    await form.getByLabel('To').fill(minute(to))
    await form.getByRole('button', { name: 'Use this time' }).click()
    await expect(form).toBeHidden()
    await expect(picker(ada)).toHaveAccessibleName(
      `Time: ${minute(from).replace('T', ' ')} to ${minute(to).replace('T', ' ')}`,
    )
    return asked(ada, await ada.search('overheated AND press-2'))
  }
  const now = Date.now()
  const before = await choose(now - 2 * DAY, now - DAY)
  expect(before.rows).toBe(0)
  expect(Math.floor(Date.parse(before.from ?? '') / 60_000)).toBe(Math.floor((now - 2 * DAY) / 60_000))
  await expect(ada.page.getByText('Nothing was found')).toBeVisible()
  const since = await choose(now - DAY, now + 60_000)
  expect(since.rows).toBe(week.rows)

  // What was chosen stands in the fields again.
  await picker(ada).click()
  await expect(ada.page.getByLabel('From', { exact: true })).toHaveValue(minute(now - DAY))
  await ada.page.getByRole('button', { name: 'All of this epoch' }).click()
  await expect(picker(ada)).toHaveAccessibleName('Time: All of this epoch')
  const epoch = await asked(ada, await ada.search('overheated AND press-2'))
  expect([epoch.from, epoch.to]).toEqual([undefined, undefined])
})
