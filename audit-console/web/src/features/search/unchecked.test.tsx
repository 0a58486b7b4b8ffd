import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Rechecked, Row, Search } from '@/shared/api/types'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { row, rowsOf, search } from '../../../test/samples'
import { found } from '../../../test/searchPage'
import { NEVER, problem, serve } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

const HOSTILE = 'pay \u202enow\u200bX'
const SHOWN = 'pay ‹U+202E›now‹U+200B›X'

const mail = (n: number, part: Partial<Row> = {}): Row =>
  row(n, {
    kind: 'unchecked',
    from: `from${n}@example.org`,
    to: `to${n}@example.org`,
    text: `Subject ${n}`,
    signed: 'stranger',
    ...part,
  })

/** A search whose mails are checked when the test says so. */
function searched(mails: Row[], part: Partial<Search> = {}, total = mails.length) {
  const left = new Map(mails.map(one => [one.row, one]))
  const answers: ((result: Rechecked) => void)[] = []
  let rows = part.rows ?? 3
  const state = () => search({ mail: true, ...part, rows, unchecked: total - mails.length + left.size })
  const server = serve({
    ...found({ mail: true, ...part }),
    'GET /api/searches/s1': state,
    'GET /api/searches/s1/rows/3/place': { place: 3 },
    'GET /api/searches/s1/rows': (seen: { search: URLSearchParams }) => rowsOf(rows)(seen),
    'GET /api/searches/s1/unchecked': () => ({ total: state().unchecked, mails: [...left.values()] }),
    'POST /api/searches/s1/unchecked/*': async ({ path }: { path: string }) => {
      const result = await new Promise<Rechecked>(resolve => answers.push(resolve))
      if (result.verdict !== 'unchecked') {
        left.delete(Number(path.split('/').at(-1)))
      }
      return result
    },
  })
  return {
    server,
    posts: () => server.seen.filter(({ method, path }) => method === 'POST' && path.includes('/unchecked/')),
    answer: async (verdict: Rechecked['verdict']) => {
      await waitFor(() => expect(answers).not.toHaveLength(0))
      answers.shift()?.(verdict === 'found' ? { verdict, row: rows++ } : { verdict })
    },
    ...show(<SearchPage />, { path: '/searches/s1' }),
  }
}

const note = (name: string | RegExp) => screen.findByRole('button', { name })

async function opened(mails: Row[], part: Partial<Search> = {}, total?: number) {
  const page = searched(mails, part, total)
  await page.user.click(await note(/not checked$/))
  const drawer = within(await screen.findByRole('dialog', { name: 'Mails that were not checked' }))
  await drawer.findByRole('list')
  const of = (n: number) => {
    const list = within(screen.getByRole('dialog')).getByRole('list')
    const item = within(list)
      .getAllByRole('listitem')
      .find(one => one.textContent?.includes(`Subject ${n}`))
    if (!item) {
      throw new Error(`Subject ${n} is not listed`)
    }
    return item
  }
  return { ...page, drawer, of }
}

describe('mails that were not checked', () => {
  it('are said beside the hits, in words that need no others', async () => {
    searched([mail(0), mail(1)])
    const button = await note('2 mails not checked')
    expect(button.getAttribute('title')).toBe(
      'Their attachments take too long to read. They may be what you search for; they are not counted, charted or exported.',
    )
    expect(screen.getByText('3 hits, done; 2 mails not checked')).toBeDefined()
  })

  it('keep a search that has ended from being called complete, by its word and by its colour', async () => {
    const { answer, of, user } = await opened([mail(0)], { notSearched: undefined })
    const state = () => document.querySelector('[data-search-state]')?.querySelector('span')
    expect(state()?.textContent).toBe('Finished, not all checked')
    expect(state()?.className).toMatch(/warn/)
    await user.click(within(of(0)).getByRole('button', { name: 'Check Subject 0' }))
    await answer('not-found')
    await waitFor(() => expect(state()?.textContent).toBe('Complete'))
    expect(state()?.className).toMatch(/good/)
  })

  it('are named in the list of searches that are held, whatever the state of these', async () => {
    serve({
      ...found({}),
      'GET /api/searches': [
        search({ id: 'a', query: 'owls', unchecked: 3 }),
        search({ id: 'b', query: 'mice', unchecked: 1, state: 'stopped' }),
        search({ id: 'c', query: 'cats' }),
      ],
    })
    show(<SearchPage />, { path: '/' })
    const [owls, mice, cats] = await screen.findAllByRole('link', { name: /hits of/ })
    expect(owls?.textContent).toMatch(/Finished, not all checked.*3 mails not checked/)
    expect(mice?.textContent).toMatch(/Stopped.*1 mail not checked/)
    expect(cats?.textContent).toMatch(/Complete/)
    expect(cats?.textContent).not.toMatch(/not checked/)
  })

  it('are not mentioned if there are none', async () => {
    searched([])
    await screen.findByText('line 0')
    expect(document.body.textContent).not.toMatch(/not checked/)
  })

  it('keep a search without hits from saying that there is nothing', async () => {
    searched([mail(0)], { rows: 0 })
    expect(await screen.findByText('Nothing was found so far, but not all was checked')).toBeDefined()
    expect(screen.getByText(/1 mail was not checked/)).toBeDefined()
    expect(document.body.textContent).not.toMatch(/none holds what you asked for/)
  })

  it('are not in an export, which says so', async () => {
    const { user } = searched([mail(0), mail(1)])
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    expect(await screen.findByText(/The 2 mails that were not checked are not in it/)).toBeDefined()
  })

  it('are listed with time, signer, from, to and subject, of which nothing is hidden', async () => {
    const { drawer, of } = await opened([
      mail(0, { text: `Subject 0 ${HOSTILE}`, from: `${HOSTILE} <a@b>`, to: HOSTILE }),
      mail(1, { signed: 'sender', signedBy: 'from1@example.org' }),
    ])
    expect(of(0).textContent?.split(SHOWN)).toHaveLength(4)
    expect(screen.getByRole('dialog').outerHTML).not.toMatch(/[\u202e\u200b]/)
    expect(within(of(0)).getByRole('img', { name: /Signed by a stranger’s key/ })).toBeDefined()
    expect(within(of(1)).getByRole('img', { name: /^Signed by from1@example.org/ })).toBeDefined()
    expect(of(1).querySelector('time')?.getAttribute('datetime')).toBe('2026-11-22T09:00:00Z')
    expect(of(1).textContent).toMatch(/from1@example.org.*to1@example.org/)
    expect(drawer.getByText(/are not counted, charted or exported/)).toBeDefined()
  })

  it('become a row if they are found, which a link opens', async () => {
    const { user, answer, of, server, posts } = await opened([mail(0), mail(1)])
    const before = server.of('GET', '/api/searches/s1/histogram').length
    await user.click(within(of(1)).getByRole('button', { name: 'Check Subject 1' }))
    expect(of(1).textContent).toMatch(/Checking/)
    expect(document.activeElement).toBe(of(1))
    expect(posts().map(({ path }) => path)).toEqual(['/api/searches/s1/unchecked/1'])
    expect(posts()[0]?.headers.get('X-CSRF-TOKEN')).toBeDefined()
    await answer('found')
    await user.click(await within(of(1)).findByRole('button', { name: 'found: row 4' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const panel = await screen.findByRole('complementary', { name: 'Mail' })
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(within(panel).getByRole('heading', { name: 'Mail 4 of 4' })).toBeDefined()
    expect(await note('1 mail not checked')).toBeDefined()
    expect(await screen.findByText('line 3')).toBeDefined()
    expect(server.of('GET', '/api/searches/s1/histogram').length).toBe(before + 1)
    await user.click(await note('1 mail not checked'))
    await screen.findByText('Subject 0')
    expect(screen.queryByText('Subject 1')).toBeNull()
  })

  it('of which none is left lead back to the hits', async () => {
    const { user, answer, of } = await opened([mail(0)])
    await user.click(within(of(0)).getByRole('button', { name: 'Check Subject 0' }))
    await answer('not-found')
    await waitFor(() => expect(of(0).textContent).toMatch(/not what you search for/))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText('Subject 0')).toBeNull()
    expect(screen.queryByRole('button', { name: /not checked/ })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it.each<[Rechecked['verdict'], RegExp, boolean]>([
    ['not-found', /not what you search for/, true],
    ['not-asked-for', /of another time, or signed by others/, true],
    ['unchecked', /takes too long still/, false],
  ])('that are checked and %s say so, and leave the list unless they take too long', async (verdict, said, leaves) => {
    const { user, answer, of, drawer } = await opened([mail(0), mail(1)])
    await user.click(within(of(0)).getByRole('button', { name: 'Check Subject 0' }))
    await answer(verdict)
    await waitFor(() => expect(of(0).textContent).toMatch(said))
    expect(within(of(0)).queryByRole('button')).toBeNull()
    expect(drawer.getAllByRole('status').map(one => one.textContent)).toEqual(
      expect.arrayContaining([expect.stringMatching(said) as string]),
    )
    await user.click(drawer.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const button = await note(leaves ? '1 mail not checked' : '2 mails not checked')
    await waitFor(() => expect(document.activeElement).toBe(button))
    await user.click(button)
    await screen.findByText('Subject 1')
    expect(screen.queryByText('Subject 0') === null).toBe(leaves)
  })

  it('are all checked one after the other', async () => {
    const { user, answer, of, drawer, posts } = await opened([mail(0), mail(1), mail(2)])
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    expect(of(2).textContent).toMatch(/Waits for its turn/)
    expect(posts()).toHaveLength(1)
    await answer('not-found')
    await waitFor(() => expect(posts()).toHaveLength(2))
    await answer('found')
    await waitFor(() => expect(posts()).toHaveLength(3))
    await answer('unchecked')
    await waitFor(() => expect(of(2).textContent).toMatch(/takes too long still/))
    expect(posts().map(({ path }) => path.at(-1))).toEqual(['0', '1', '2'])
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Check all' }).disabled).toBe(true)
  })

  it('are checked no further when somebody stops it', async () => {
    const { user, answer, of, drawer, posts } = await opened([mail(0), mail(1), mail(2)])
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    await user.click(await drawer.findByRole('button', { name: 'Stop after this one' }))
    await answer('not-found')
    await waitFor(() => expect(of(0).textContent).toMatch(/not what you search for/))
    await drawer.findByRole('button', { name: 'Check Subject 1' })
    expect(posts()).toHaveLength(1)
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Check all' }).disabled).toBe(false)
  })

  it('are checked on when the list is closed, and what comes of it is said', async () => {
    const { user, answer, of, drawer, posts } = await opened([mail(0, { text: `Subject 0 ${HOSTILE}` }), mail(1)])
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    await user.click(drawer.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await answer('found')
    expect(await screen.findByText(`Subject 0 ${SHOWN}: found: row 4`)).toBeDefined()
    await waitFor(() => expect(posts()).toHaveLength(2))
    await user.click(await note('1 mail not checked'))
    expect(await screen.findByRole('button', { name: 'found: row 4' })).toBeDefined()
    expect(of(0).textContent).toMatch(/found: row 4/)
    expect(of(1).textContent).toMatch(/Checking/)
  })

  it('are not checked after the page was left, but for the one that is being checked', async () => {
    const { user, answer, drawer, posts, unmount } = await opened([mail(0), mail(1), mail(2)])
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    unmount()
    await answer('not-found')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(posts()).toHaveLength(1)
  })

  it('stay in the list when checking one fails, with the reason above, and none behind it is tried', async () => {
    const { user, of, drawer, server, posts } = await opened([mail(0), mail(1)])
    server.set({ 'POST /api/searches/s1/unchecked/*': problem(502, { detail: 'The gateway is away.' }) })
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    expect((await drawer.findByRole('alert')).textContent).toMatch(/The gateway is away/)
    expect(posts()).toHaveLength(1)
    expect(within(of(0)).getByRole('button', { name: 'Check Subject 0' })).toBeDefined()
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Check all' }).disabled).toBe(false)
  })

  it.each([
    ['running', 'They can be checked when the search has ended.'],
    ['limited', /the search has as many rows as it may have/],
  ] as const)('of a search that is %s cannot be checked, with the reason', async (state, why) => {
    const { drawer } = await opened([mail(0), mail(1)], { state })
    expect(drawer.getByText(why)).toBeDefined()
    for (const name of ['Check all', 'Check Subject 0', 'Check Subject 1']) {
      expect(drawer.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
    }
  })

  it('of which there are very many say that the first are listed', async () => {
    const { drawer } = await opened([mail(0), mail(1)], {}, 1203)
    expect(drawer.getByText(/The first 2 of 1,203 mails are listed/)).toBeDefined()
  })

  it('are drawn a hundred at a time, and all of them are checked', async () => {
    const { user, drawer } = await opened(Array.from({ length: 250 }, (_, n) => mail(n)))
    expect(drawer.getAllByRole('listitem')).toHaveLength(100)
    await user.click(drawer.getByRole('button', { name: 'Show more, of 150' }))
    await user.click(drawer.getByRole('button', { name: 'Show more, of 50' }))
    expect(drawer.getAllByRole('listitem')).toHaveLength(250)
    expect(drawer.queryByRole('button', { name: /^Show more/ })).toBeNull()
    await user.click(drawer.getByRole('button', { name: 'Check all' }))
    expect(drawer.getByText(/^250 mails to check/)).toBeDefined()
  })

  it('that were all checked elsewhere leave an empty list, which says so', async () => {
    const { user, server } = searched([mail(0)])
    server.set({ 'GET /api/searches/s1/unchecked': { total: 0, mails: [] } })
    await user.click(await note('1 mail not checked'))
    expect(await screen.findByText('All mails are checked')).toBeDefined()
  })

  it('that are not read yet are no empty list', async () => {
    const { user, server } = searched([mail(0)])
    server.set({ 'GET /api/searches/s1/unchecked': NEVER })
    await user.click(await note('1 mail not checked'))
    const drawer = within(await screen.findByRole('dialog'))
    expect(drawer.getByRole('status', { name: 'Loading' })).toBeDefined()
    expect(drawer.queryByText('All mails are checked')).toBeNull()
  })

  it('that cannot be read are an error, not an empty list', async () => {
    const { user, server } = searched([mail(0)])
    server.set({ 'GET /api/searches/s1/unchecked': problem(423) })
    await user.click(await note('1 mail not checked'))
    const drawer = within(await screen.findByRole('dialog'))
    expect((await drawer.findByRole('alert')).textContent).toMatch(/The keys are locked/)
    expect(drawer.queryByText('All mails are checked')).toBeNull()
  })
})
