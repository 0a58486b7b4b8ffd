import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { approval, BASE, checked } from '../../../test/samples'
import { bar } from '../../../test/searchPage'
import { AWAY, NEVER, serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

describe('the query', () => {
  it('is checked once, after the last change, and nothing is searched by it', async () => {
    const server = serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'overheat')
    expect(await screen.findByText(/Allowed/)).toBeDefined()
    expect(server.of('POST', '/api/queries/check').map(call => (call.body as { query: string }).query)).toEqual([
      'overheat',
    ])
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('has its errors marked at their character, and is not searched', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({
        errors: [{ message: 'has a ( without its )', at: 12, suggestions: ['level:error (b)'] }],
        decision: undefined,
      }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'level:error (b')
    expect(await screen.findByText(/Character 13: has a \(/)).toBeDefined()
    const mark = screen.getByTestId('query-copy').querySelector('mark')
    expect(mark?.textContent).toBe('(')
    expect((await bar()).getAttribute('aria-invalid')).toBe('true')
    await user.keyboard('{Enter}')
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('that is written as elsewhere is not searched, and can be put right by a click', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': (seen: { body: unknown }) =>
        (seen.body as { query: string }).query.includes('-root')
          ? checked({
              errors: [{ message: 'leaves out with NOT', at: 7, suggestions: ['failed NOT root', '"failed -root"'] }],
              decision: undefined,
            })
          : checked(),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'failed -root{Enter}')
    expect(await screen.findByText(/Character 8: leaves out with NOT/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Write "failed -root"' })).toBeDefined()
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
    await user.click(screen.getByRole('button', { name: 'Write failed NOT root' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('failed NOT root')
    expect(await screen.findByText(/Allowed/)).toBeDefined()
  })

  it('shows how it is understood, as text whatever it holds', async () => {
    serve({
      ...BASE,
      'POST /api/queries/check': checked({
        terms: [
          { kind: 'term', field: 'word', text: '<img src=x onerror=alert(1)>' },
          { kind: 'operator', field: '', text: 'AND' },
          { kind: 'operator', field: '', text: 'NOT' },
          { kind: 'bracket', field: '', text: '(' },
          { kind: 'term', field: 'user', text: 'a\u202eb' },
          { kind: 'bracket', field: '', text: ')' },
          { kind: 'more', field: '', text: '7' },
        ],
        notes: ['Left out, as no keyword has it: -.'],
      }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'x')
    const group = await screen.findByRole('group', { name: 'How the query is understood' })
    expect(group.textContent).toBe(
      'Searched:word <img src=x onerror=alert(1)>ANDNOT(user a‹U+202E›b)and 7 more termsLeft out, as no keyword has it: -.',
    )
    expect(group.querySelector('img')).toBeNull()
  })

  it('that may hold a mistake says so, and is searched as it stands', async () => {
    serve({
      ...BASE,
      'POST /api/queries/check': (seen: { body: unknown }) =>
        (seen.body as { query: string }).query.startsWith('hots')
          ? checked({ warnings: [{ message: 'the nearest is host', at: 0, suggestions: ['host:web-1'] }] })
          : checked(),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'hots:web-1')
    expect((await screen.findByRole('note')).textContent).toMatch(/Character 1: the nearest is host/)
    expect(screen.getByText(/Allowed/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Write host:web-1' }))
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('host:web-1')
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
  })

  it('is said to be searched as it stands now, and never as it stood before', async () => {
    serve({
      ...BASE,
      'POST /api/queries/check': (seen: { body: unknown }) => {
        const { query } = seen.body as { query: string }
        return query === 'disk'
          ? checked({
              terms: [{ kind: 'term', field: 'word', text: 'disk' }],
              warnings: [{ message: 'of the old text', at: 0, suggestions: ['x'] }],
            })
          : NEVER()
      },
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'disk')
    expect((await screen.findByRole('group', { name: 'How the query is understood' })).textContent).toMatch(/disk/)
    await user.type(await bar(), 's')
    expect(screen.queryByRole('group', { name: 'How the query is understood' })).toBeNull()
    expect(screen.queryByText(/of the old text|Allowed|2 trapdoors/)).toBeNull()
    expect(screen.getByText('Checking the query')).toBeDefined()
  })

  it('that is too long is not cut: it says so and cannot be searched', async () => {
    const server = serve({ ...BASE })
    const { user } = show(<SearchPage />)
    const long = `${'disk OR '.repeat(1100)}disk NOT secret`
    await user.click(await bar())
    await user.paste(long)
    expect(((await bar()) as HTMLTextAreaElement).value).toBe(long)
    expect(await screen.findByText(/has 8,815 characters; it may have 8,192/)).toBeDefined()
    await user.keyboard('{Enter}')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Search' }).disabled).toBe(true)
    expect(server.of('POST', '/api/queries/check')).toHaveLength(0)
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('that is refused says by which rule and cannot be searched', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({
        decision: { outcome: 'refused', reason: 'No names', rule: 'works-council' },
      }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'eve{Enter}')
    expect(await screen.findByText(/Refused \(rule “works-council”\): No names/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await user.type(await bar(), '{Enter}')
    expect(server.of('POST', '/api/searches')).toHaveLength(0)
  })

  it('says what the attributes of the user do not search', async () => {
    serve({
      ...BASE,
      'POST /api/queries/check': checked({ notSearched: ['what is sealed in 2026-11: role:dpo is missing'] }),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'overheat')
    expect(await screen.findByText(/Not searched: what is sealed in 2026-11: role:dpo is missing/)).toBeDefined()
    expect(screen.getByText(/Allowed/)).toBeDefined()
  })

  it('that needs approval asks for a reason first, then says that it was asked', async () => {
    const server = serve({
      ...BASE,
      'POST /api/queries/check': checked({ decision: { outcome: 'needs-approval', reason: 'Pay', rule: 'pay' } }),
      'POST /api/searches': new Status(202, approval({ mine: true })),
    })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'salary')
    const ask = await screen.findByRole('button', { name: 'Ask' })
    expect((ask as HTMLButtonElement).disabled).toBe(true)
    await user.type(screen.getByLabelText(/Why do you need this/), 'Complaint 4471')
    await user.click(ask)
    expect(await screen.findByText(/Asked: a second person must approve/)).toBeDefined()
    expect(server.of('POST', '/api/searches')[0]?.body).toMatchObject({
      query: 'salary',
      scope: 'plant-7',
      reason: 'Complaint 4471',
    })
  })

  it('shows what the gateway would learn', async () => {
    serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'a')
    await user.click(await screen.findByRole('button', { name: /What the gateway learns/ }))
    expect(screen.getByText('It sees which records match.')).toBeDefined()
  })

  it('that cannot be checked is not taken for allowed, and may still be asked', async () => {
    serve({ ...BASE, 'POST /api/queries/check': AWAY })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'a')
    expect(await screen.findByText(/could not be checked/)).toBeDefined()
    expect(screen.queryByText(/Allowed/)).toBeNull()
  })

  it('completes names of fields by keys', async () => {
    serve({ ...BASE })
    const { user } = show(<SearchPage />)
    await user.type(await bar(), 'le')
    expect(await screen.findByRole('option', { name: /level:/ })).toBeDefined()
    await user.keyboard('{ArrowDown}{Enter}err')
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:err')
    await user.keyboard('{Tab}')
    expect(((await bar()) as HTMLTextAreaElement).value).toBe('level:error ')
  })
})
