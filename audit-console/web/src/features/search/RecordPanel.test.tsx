import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { IndexState, RecordDetail } from '@/shared/api/types'
import { show } from '../../../test/render'
import { detail, row, search } from '../../../test/samples'
import { NEVER, problem, serve } from '../../../test/server'
import type { Narrow } from './FieldsTab'
import { RecordPanel } from './RecordPanel'

afterEach(() => {
  vi.unstubAllGlobals()
  Object.values(narrow).forEach(each => each.mockReset())
})

const narrow = { term: vi.fn(), refuses: vi.fn<Narrow['refuses']>(), sender: vi.fn(), only: vi.fn() }
const open = (answer: unknown) => {
  serve({ 'GET /api/searches/s1/rows/0': answer, 'GET /api/searches/s1/rows/0/surrounding': [] })
  return show(
    <RecordPanel
      search={search()}
      place={0}
      places={3}
      row={0}
      move={() => undefined}
      close={() => undefined}
      narrow={narrow}
    />,
  )
}
const mail = (part: Partial<NonNullable<RecordDetail['mail']>> = {}): RecordDetail =>
  detail({
    row: row(0, { kind: 'mail' }),
    text: '',
    mail: { headers: [{ name: 'Subject', value: 'Hello' }], text: 'plain words', attachments: [], ...part },
  })

describe('a record', () => {
  it('is loading', () => {
    open(NEVER)
    expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
  })

  it('that cannot be had says why', async () => {
    open(problem(502))
    expect((await screen.findByRole('alert')).textContent).toMatch(/gateway does not answer/)
  })

  it('shows its text, who sent it and who may read it', async () => {
    open(detail())
    expect(await screen.findByText('the whole line')).toBeDefined()
    expect(screen.getByText('role:auditor')).toBeDefined()
    expect(screen.getByRole('img', { name: /Signed by this registered sender/ })).toBeDefined()
  })

  it('says where a sender is not proven', async () => {
    open(detail({ row: row(0, { proven: false }) }))
    expect(await screen.findByRole('img', { name: /Not proven/ })).toBeDefined()
  })

  it('that the attributes do not open names what is missing', async () => {
    open(
      detail({
        row: row(0, { kind: 'unreadable', why: 'Your attributes do not satisfy its policy.', missing: ['role:dpo'] }),
        text: '',
        fields: [],
        keywords: [],
      }),
    )
    expect((await screen.findByTestId('unreadable')).textContent).toMatch(/do not satisfy its policy.*role:dpo/)
    expect(screen.queryByRole('tab', { name: 'Fields' })).toBeNull()
  })

  it('with markup in it shows the markup', async () => {
    open(detail({ text: '<img src=x onerror=alert(1)><script>alert(2)</script>' }))
    expect(await screen.findByText('<img src=x onerror=alert(1)><script>alert(2)</script>')).toBeDefined()
    expect(document.querySelector('img[src=x], script')).toBeNull()
  })
})

describe('the index of a record', () => {
  const index = (part: Partial<IndexState> = {}): IndexState => ({
    outcome: 'complete',
    reasons: [],
    lacking: 0,
    contradicted: 0,
    malformed: 0,
    unasked: 0,
    keywords: [],
    ...part,
  })
  const said = async (part: Partial<IndexState>) => {
    open(detail({ index: index(part) }))
    return (await screen.findByTestId('index')).textContent
  }

  it('that lacks keywords says how many and which', async () => {
    expect(await said({ outcome: 'lacking', lacking: 2, keywords: ['word:admin', 'user:bo\u202eb'] })).toMatch(
      /indexes less than it seals.*lacks 2 keywords.*word:admin.*user:bo‹U\+202E›b/,
    )
  })

  it('of which a part could not be looked into says that beside what is lacking', async () => {
    expect(
      await said({ outcome: 'lacking', lacking: 16, keywords: ['word:a'], reasons: ['too-many-findings'] }),
    ).toMatch(/lacks 16 keywords.*The first 1 are shown.*as many findings as may be/)
  })

  it('that names rules of nobody is a finding, too', async () => {
    expect(await said({ outcome: 'lacking', reasons: ['unknown-rules'] })).toMatch(/rules .* the tenant never had/)
  })

  it('that is not checked says why', async () => {
    expect(await said({ outcome: 'not-checked', reasons: ['not-signed'] })).toMatch(/not checked. No registered sender/)
  })

  it('that is complete says what was not asked for', async () => {
    expect(await said({ reasons: ['attachments'] })).toMatch(/complete, as far as was asked.*only attachments have/)
  })
})

describe('the buttons of a field', () => {
  const fields: RecordDetail['fields'] = [
    { name: 'time', value: '2026-11-21T12:23:45Z', term: 'time:2026-11-21T12:23' },
    { name: 'sender', value: 'plant', filter: 'sender' },
    { name: 'sender', value: 'alice', term: 'sender:alice' },
    { name: 'a', value: '1' },
  ]
  const names = (of: Element | null | undefined) =>
    [...(of?.querySelectorAll('button') ?? [])].map(button => button.getAttribute('aria-label'))
  const rowOf = async (value: string) => (await screen.findByRole('cell', { name: value })).closest('tr')

  it('use the term that the server has tried, not one made of what is shown', async () => {
    const { user } = open(detail({ fields }))
    await user.click(await screen.findByRole('button', { name: 'Add time:2026-11-21T12:23 to the query' }))
    expect(narrow.term).toHaveBeenLastCalledWith('time:2026-11-21T12:23', false)
    await user.click(screen.getByRole('button', { name: 'Exclude sender:alice' }))
    expect(narrow.term).toHaveBeenLastCalledWith('sender:alice', true)
  })

  it('are none where no term is true, but for the sender, who is a filter', async () => {
    const { user } = open(detail({ fields }))
    expect(names(await rowOf('1'))).toEqual(['Copy a'])
    expect(names(await rowOf('plant'))).toEqual(['Search only what plant sent', 'Copy sender'])
    await user.click(screen.getByRole('button', { name: 'Search only what plant sent' }))
    expect(narrow.sender).toHaveBeenCalledWith('plant')
    expect(narrow.term).not.toHaveBeenCalled()
  })

  it('say why they do nothing now', async () => {
    narrow.refuses.mockImplementation((_, exclude) => (exclude ? 'there is no query' : undefined))
    const { user } = open(detail({ fields }))
    const button = await screen.findByRole('button', { name: 'Exclude sender:alice: not now, there is no query' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    expect(narrow.term).not.toHaveBeenCalled()
  })

  it('are those of keywords, too', async () => {
    const keywords = [{ keyword: 'word:not', term: '"not"' }, { keyword: 'stem.en:run' }]
    const { user } = open(detail({ keywords }))
    await user.click(await screen.findByRole('button', { name: 'word:not' }))
    expect(narrow.term).toHaveBeenLastCalledWith('"not"', false)
    expect(screen.queryByRole('button', { name: 'stem.en:run' })).toBeNull()
    expect(screen.getByText('stem.en:run')).toBeDefined()
  })
})

describe('a mail', () => {
  it('is shown as text first; its design in a frame that may do nothing', async () => {
    const { user } = open(mail({ html: '<b>designed</b><script>alert(1)</script>', removed: ['2 remote images'] }))
    expect(await screen.findByText('plain words')).toBeDefined()
    expect(document.querySelector('iframe')).toBeNull()
    await user.click(screen.getByText('As designed'))
    const frame = document.querySelector('iframe')
    expect(frame?.getAttribute('sandbox')).toBe('')
    expect(frame?.getAttribute('srcdoc')).toContain('designed')
    expect(frame?.hasAttribute('src')).toBe(false)
    expect(document.querySelector('script')).toBeNull()
    expect(screen.getByText(/Taken out of this mail: 2 remote images/)).toBeDefined()
  })

  it('gives its attachments as downloads only', async () => {
    open(mail({ attachments: [{ number: 1, name: 'a<b>.html', type: 'text/html', bytes: 2048 }] }))
    const link = (await screen.findByText('a<b>.html')).closest('a')
    expect(link?.getAttribute('href')).toBe('/api/searches/s1/rows/0/attachments/1')
    expect(link?.hasAttribute('download')).toBe(true)
    expect(screen.getByText(/2.0 kB/)).toBeDefined()
  })

  it('shows what else the header says of the name of an attachment', async () => {
    const alsoNamed = ['b\u202efdp.exe', '(aside)']
    open(mail({ attachments: [{ number: 1, name: 'a.pdf', type: 'application/pdf', bytes: 1, alsoNamed }] }))
    expect(await screen.findByText('Also named: b‹U+202E›fdp.exe | (aside)')).toBeDefined()
  })
})
