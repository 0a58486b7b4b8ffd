import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { detail, row, search } from '../../../test/samples'
import { found } from '../../../test/searchPage'
import { serve } from '../../../test/server'
import { stamp, timeZone } from '@/shared/ui/format'
import { spanWith } from './OtherTimes'
import { RecordPanel } from './RecordPanel'
import SearchPage from './SearchPage'
import { TimePicker } from './TimePicker'

const FROM = '2026-11-22T08:00:00.000Z'
const TO = '2026-11-22T10:00:00.000Z'
const OTHERS = { count: 12, earliest: '2026-11-20T07:00:00.123456Z', latest: '2026-11-22T10:00:00.123456Z' }

beforeEach(() => Events.install())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

describe('what is of other times', () => {
  const shown = (part = {}) => {
    const server = serve({
      ...found({ from: FROM, to: TO, others: OTHERS, ...part }),
      'POST /api/searches': search({ id: 's2' }),
    })
    return { server, ...show(<SearchPage />, { path: '/searches/s1' }) }
  }

  it('is counted, and searched with the rest on demand', async () => {
    const { user, server } = shown()
    expect(await screen.findByText(/12 more records are of other times/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'show them' }))
    await waitFor(() => expect(server.of('POST', '/api/searches')).toHaveLength(1))
    expect(server.of('POST', '/api/searches')[0]?.body).toMatchObject({
      query: 'level:error',
      scope: 'plant-7',
      from: '2026-11-20T07:00:00.123Z',
      to: '2026-11-22T10:00:00.124Z',
    })
  })

  it('is not “nothing”', async () => {
    shown({ rows: 0 })
    expect(await screen.findByText('Nothing was found in this time')).toBeDefined()
    expect(document.body.textContent).not.toMatch(/none holds what you asked/)
  })

  it('is not offered while it is still counted', async () => {
    shown({ state: 'running', others: { ...OTHERS, count: 1, earliest: OTHERS.latest } })
    expect(await screen.findByText(/1 more record is of another time/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /^show/ })).toBeNull()
  })

  it('has a time with what was asked for, whatever that leaves open', () => {
    const span = (part: object) => spanWith(search({ others: OTHERS, ...part }))
    expect(span({ from: FROM, to: TO })).toEqual(['2026-11-20T07:00:00.123Z', '2026-11-22T10:00:00.124Z'])
    expect(span({ from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' })).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
    ])
    expect(span({})).toEqual(['2026-11-20T07:00:00.123Z', '2026-11-22T10:00:00.124Z'])
  })
})

describe('a time that a record does not name', () => {
  it('says where it comes from', async () => {
    serve({
      ...found({ rows: 3 }),
      'GET /api/searches/s1/rows': {
        from: 0,
        total: 3,
        rows: [
          row(0, { timeSource: 'own' }),
          row(1, { timeSource: 'read' }),
          row(2, { timeSource: 'sealed', kind: 'unreadable' }),
        ],
      },
    })
    show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByText('line 0')
    const titles = [...document.querySelectorAll('[data-source]')].map(cell => cell.getAttribute('title'))
    expect(titles).toEqual([
      null,
      'When it was read: it names no time itself, or none that can be',
      'When it was sealed',
    ])
    expect(screen.getAllByRole('img', { name: /^When it was/ })).toHaveLength(2)
    expect(screen.getByRole('columnheader', { name: `Time, ${timeZone()}` })).toBeDefined()
  })

  it('is marked in the mail itself', async () => {
    const mail = { headers: [{ name: 'Subject', value: 'Hello' }], text: 'plain words', attachments: [] }
    const open = (timeSource: 'own' | 'sealed') => {
      serve({ 'GET /api/searches/s1/rows/0': detail({ row: row(0, { kind: 'mail', timeSource }), mail }) })
      const none = () => undefined
      const narrow = { term: none, refuses: none, sender: none, only: none }
      return show(
        <RecordPanel
          search={search({ mail: true })}
          place={0}
          places={3}
          row={0}
          move={none}
          close={none}
          narrow={narrow}
        />,
      )
    }
    open('sealed')
    expect((await screen.findByText(/When it was sealed: it names no time itself/)).textContent).toContain(
      `It counts by ${stamp('2026-11-22T09:00:00Z')}, ${timeZone()}`,
    )
    cleanup()
    open('own')
    await screen.findByText('plain words')
    expect(screen.queryByText(/When it was/)).toBeNull()
  })
})

describe('the time picker', () => {
  it('keeps what nobody changed, to the millisecond', async () => {
    const value = { kind: 'absolute' as const, from: '2026-11-22T08:00:00.007Z', to: '2026-11-22T08:00:00.011Z' }
    const change = vi.fn()
    const { user } = show(<TimePicker value={value} onChange={change} />)
    await user.click(screen.getByRole('button', { name: /^Time: .*00\.007 to .*00\.011$/ }))
    await user.click(await screen.findByRole('button', { name: 'Use this time' }))
    expect(change).toHaveBeenCalledWith(value)
  })

  it('keeps a time within the hour that autumn has twice', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    // From 02:30 of summer to 02:10 of winter.
    const value = { kind: 'absolute' as const, from: '2026-10-25T00:30:00.000Z', to: '2026-10-25T01:10:00.000Z' }
    const change = vi.fn()
    const { user } = show(<TimePicker value={value} onChange={change} />)
    await user.click(screen.getByRole('button', { name: /^Time:/ }))
    await user.click(await screen.findByRole('button', { name: 'Use this time' }))
    expect(change).toHaveBeenCalledWith(value)
  })
})
