import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Rules } from '@/shared/api/types'
import { show } from '../../../test/render'
import { problem, serve } from '../../../test/server'
import { cleaned, problemsOf } from './ruleForm'
import RulesPage from './RulesPage'
import { goneRound, summary, unreachable } from './summary'

afterEach(() => vi.unstubAllGlobals())

describe('a rule in plain words', () => {
  it.each([
    [{ name: 'a', effect: 'allow' }, 'Everybody may search and install standing routes for anything in all scopes.'],
    [
      { name: 'a', effect: 'refuse', values: ['eve*'] },
      'Nobody may search or install standing routes for “eve*” in all scopes.',
    ],
    [
      { name: 'a', effect: 'refuse', roles: ['operator'], purposes: ['search'] },
      'Operators may not search for anything in all scopes.',
    ],
    [
      {
        name: 'a',
        effect: 'approve',
        roles: ['auditor', 'approver'],
        attributes: 'role:dpo',
        scopes: ['plant-*', 'web'],
        fields: ['unit', 'word'],
        values: ['a*', 'b'],
        purposes: ['search'],
        epochsBack: 2,
        perHour: 1,
        approvalHours: 8,
        hideKeywords: true,
      },
      'Auditors and approvers whose attributes satisfy role:dpo may search for “a*” or “b” in unit or text without a field in plant-* and web, at most 2 epochs back, at most 1 time an hour each. A second person must approve it, which holds for 8 hours. The log keeps the keywords sealed.',
    ],
    [
      { name: 'a', effect: 'allow', epochsBack: 0 },
      'Everybody may search and install standing routes for anything in all scopes, in the present epoch only.',
    ],
  ] as const)('%#', (rule, words) => {
    expect(summary(rule as never)).toBe(words)
  })

  it.each([
    [{ effect: 'approve', fields: ['user', 'mail'] }, 'What these fields hold is found by words all the same'],
    [{ effect: 'refuse', fields: ['user'], values: ['a', 'b*'] }, 'Values with * are found by words all the same'],
    [{ effect: 'refuse', fields: ['user'], values: ['a', 'b'] }, ''],
    [{ effect: 'approve', fields: ['user', 'Word'] }, ''],
    [{ effect: 'approve', values: ['a'] }, ''],
    [{ effect: 'allow', fields: ['user'] }, ''],
  ] as const)('says where words find what it restricts: %#', (rule, words) => {
    const said = goneRound({ name: 'a', ...rule } as never)
    expect(said.startsWith(words) && (words !== '' || said === '')).toBe(true)
  })

  it('is marked where nobody reaches it', () => {
    expect([
      ...unreachable([
        { name: 'a', effect: 'allow', scopes: ['x'] },
        { name: 'b', effect: 'refuse' },
        { name: 'c', effect: 'allow' },
      ]),
    ]).toEqual([2])
    expect(
      unreachable([
        { name: 'b', effect: 'refuse', epochsBack: 1 },
        { name: 'c', effect: 'allow' },
      ]).size,
    ).toBe(0)
  })
})

describe('the form of a rule', () => {
  it('wants a name of its own, and hours within bounds', () => {
    expect(problemsOf({ name: ' ', effect: 'allow' }, []).name).toBeDefined()
    expect(problemsOf({ name: 'a', effect: 'allow' }, ['a']).name).toBeDefined()
    expect(problemsOf({ name: 'a', effect: 'approve', approvalHours: 721 }, []).approvalHours).toBeDefined()
    expect(Object.values(problemsOf({ name: 'a', effect: 'allow' }, ['b'])).some(Boolean)).toBe(false)
  })

  it('leaves out what says nothing, and keeps a zero', () => {
    expect(
      cleaned({
        name: ' a ',
        effect: 'allow',
        roles: [],
        attributes: '',
        epochsBack: 0,
        hideKeywords: false,
        approvalHours: 3,
      }),
    ).toEqual({ name: 'a', effect: 'allow', epochsBack: 0 })
  })
})

const three: Rules = {
  version: 7,
  rules: ['one', 'two', 'three'].map(name => ({ name, effect: 'allow' as const, scopes: ['x'] })),
}
const names = () =>
  screen.getAllByRole('listitem').map(item => within(item).getByText(/^(one|two|three|four)$/).textContent)

describe('the list of rules', () => {
  it('is changed here, and saved as a whole with the version that was read', async () => {
    const server = serve({
      'GET /api/rules': three,
      'PUT /api/rules': (seen: { body: unknown }) => ({ ...(seen.body as Rules), version: 8 }),
    })
    const { user } = show(<RulesPage />)
    await user.click(await screen.findByRole('button', { name: 'Move three up' }))
    await user.click(screen.getByRole('button', { name: 'Delete one' }))
    expect(names()).toEqual(['three', 'two'])
    expect(screen.getByText(/the old rules still hold/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Save all rules' }))
    await waitFor(() => expect(screen.queryByText(/the old rules still hold/)).toBeNull())
    const put = server.of('PUT', '/api/rules')[0]
    expect((put?.body as Rules).version).toBe(7)
    expect((put?.body as Rules).rules.map(rule => rule.name)).toEqual(['three', 'two'])
    expect(put?.headers.get('X-CSRF-TOKEN')).toBe('the-token')
    expect(names()).toEqual(['three', 'two'])
  })

  it('keeps what was edited when somebody else was faster', async () => {
    serve({ 'GET /api/rules': three, 'PUT /api/rules': problem(409, { detail: 'Version 8 is there now.' }) })
    const { user } = show(<RulesPage />)
    await user.click(await screen.findByRole('button', { name: 'Delete one' }))
    await user.click(screen.getByRole('button', { name: 'Save all rules' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/Somebody else has changed the rules.*Version 8/)
    expect(names()).toEqual(['two', 'three'])
    await user.click(screen.getByRole('button', { name: /Load the present rules/ }))
    await waitFor(() => expect(names()).toEqual(['one', 'two', 'three']))
  })

  it('gets a rule from the form, with what it means', async () => {
    serve({ 'GET /api/rules': three })
    const { user } = show(<RulesPage />)
    await user.click(await screen.findByRole('button', { name: 'Add a rule' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Put into the list' }).disabled).toBe(true)
    await user.type(within(dialog).getByLabelText(/^Name/), 'four')
    await user.type(within(dialog).getByLabelText('Scopes', { selector: 'input' }), 'plant-*{Enter}')
    expect(within(dialog).getByTestId('summary').textContent).toBe(
      'Auditors may search and install standing routes for anything in plant-*.',
    )
    await user.click(within(dialog).getByRole('button', { name: 'Put into the list' }))
    expect(names()).toEqual(['one', 'two', 'three', 'four'])
  })

  it('is only read by who keeps no keys', async () => {
    serve({ 'GET /api/rules': three })
    show(<RulesPage />, { roles: ['auditor'] })
    await screen.findByText('one')
    expect(screen.queryByRole('button')).toBeNull()
  })
})
