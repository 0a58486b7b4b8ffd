import { expect } from '@playwright/test'
import { MAILBOX } from './site.ts'
import type { Visitor } from './visitor.ts'

export const REASON = 'A leak was reported by telephone'

/** Asks for approval of a search of mail. */
export async function ask(somebody: Visitor, query: string): Promise<{ id: string }> {
  await somebody.choose(MAILBOX)
  await somebody.type(query)
  await expect(somebody.verdict).toHaveAttribute('data-verdict', 'wait')
  await expect(somebody.verdict).toContainText('A second person must approve (rule “other mail”)')
  const button = somebody.page.getByRole('button', { name: 'Ask', exact: true })
  await expect(button).toBeDisabled()
  await somebody.page.getByLabel(/Why do you need this/).fill(REASON)
  await button.click()
  await expect(somebody.page.getByText('Asked: a second person must approve')).toBeVisible()
  const approvals = (await (await somebody.call('GET', '/api/approvals')).json()) as Array<{
    id: string
    query: string
  }>
  const mine = approvals.find(approval => approval.query === query)
  expect(mine).toBeDefined()
  return mine as { id: string }
}

/** Makes a search of mail that another person has approved. */
export async function searchApproved(somebody: Visitor, approver: Visitor, query: string): Promise<string> {
  const { id } = await ask(somebody, query)
  expect((await approver.call('POST', `/api/approvals/${id}/approve`, { reason: 'Seen' })).status()).toBe(200)
  await somebody.page.getByRole('link', { name: /^Approvals/ }).click()
  const approved = somebody.page.getByRole('article').filter({ hasText: query }).filter({ hasText: 'by ben' }).first()
  await approved.getByRole('button', { name: 'Put it into the search bar' }).click()
  await expect(somebody.verdict).toContainText('Approved by a second person')
  return somebody.search(query)
}
