import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FigureSeries, GatewayStatus } from '@/shared/api/types'
import { show } from '../../../test/render'
import { hourOfFigures, noIndexes, ofSender, point, well } from '../../../test/samples'
import { problem, serve } from '../../../test/server'
import { told } from './problems'
import { PLOTS, stepsOf, summary, valueOf } from './series'
import StatusPage from './StatusPage'

afterEach(() => vi.unstubAllGlobals())

const shown = (status: Partial<GatewayStatus> = {}, more: Record<string, unknown> = {}, roles = ['keeper']) => {
  const server = serve({
    'GET /api/status': { ...well, ...status },
    'GET /api/status/figures': hourOfFigures,
    'GET /api/senders/indexes': noIndexes,
    ...more,
  })
  return { server, ...show(<StatusPage />, { roles: roles as ('keeper' | 'operator')[] }) }
}

const plotOf = (name: string) => {
  const plot = PLOTS.find(each => each.name === name)
  if (!plot) {
    throw new Error(`no plot ${name}`)
  }
  return plot
}

describe('problems', () => {
  it('are said not to be there when all was asked', async () => {
    shown()
    expect(await screen.findByText('Nothing is wrong')).toBeDefined()
  })

  it.each<[string, Partial<GatewayStatus>, Record<string, unknown>]>([
    ['a source could not be asked', { notKnown: ['routes'] }, {}],
    ['findings could not be read', {}, { 'GET /api/senders/indexes': problem(500) }],
  ])('are never said not to be there when %s', async (_, status, more) => {
    shown(status, more)
    expect(await screen.findByText(/not everything is known/)).toBeDefined()
    await waitFor(() => expect(screen.queryByText('Nothing is wrong')).toBeNull())
  })

  it('are never said not to be there when the status could not be read again', async () => {
    const { server, client } = shown()
    await screen.findByText('Nothing is wrong')
    server.set({ 'GET /api/status': problem(502) })
    await client.refetchQueries({ queryKey: ['status'] })
    expect(await screen.findByText(/could not be read again/)).toBeDefined()
    expect(screen.queryByText('Nothing is wrong')).toBeNull()
  })

  it('say what to do and where, in the order of the console', async () => {
    shown({
      problems: [
        { kind: 'deliveries-given-up', count: 2, names: ['urgent'] },
        { kind: 'senders-silent', count: 40, names: ['a', 'b', 'c'], since: '2026-11-20T10:00:00Z' },
      ],
    })
    const list = within(await screen.findByRole('region', { name: 'Problems' }))
    const items = list.getAllByRole('listitem')
    expect(items[0]?.textContent).toMatch(/Error: 2 deliveries given up.*urgent.*Check that/)
    expect(items[1]?.textContent).toMatch(/Warning: 40 senders silent.*since.*a, b, c and others/)
    expect(list.getByRole('link', { name: 'Open Senders' }).getAttribute('href')).toBe('/senders?state=silent')
  })

  it('of keys have a link for keepers alone', async () => {
    shown({ reachable: false, problems: [{ kind: 'keys-locked', names: [] }] }, {}, ['operator'])
    expect(await screen.findByText(/keys are locked/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Open Keys' })).toBeNull()
  })

  it('of indexes are told to keepers and not asked for by others', async () => {
    const findings = { 'GET /api/senders/indexes': { ...noIndexes, senders: [ofSender('press-4', { counted: 1 })] } }
    shown({}, findings)
    expect(await screen.findByText(/Indexes of 1 sender lacked words/)).toBeDefined()
    const { server } = shown({}, findings, ['operator'])
    expect(await screen.findByText('Nothing is wrong')).toBeDefined()
    expect(server.of('GET', '/api/senders/indexes')).toEqual([])
  })

  it('of a kind that the page does not know are told, too', () => {
    expect(told({ kind: 'of-later' as 'disk-low', names: [] }).bad).toBe(true)
  })
})

describe('figures over time', () => {
  it('are not there at a gateway of before, and the numbers are', async () => {
    shown({}, { 'GET /api/status/figures': { kept: false, points: [] } })
    expect(await screen.findByText(/keeps no figures over time/)).toBeDefined()
    expect(screen.getByText('1,234')).toBeDefined()
    expect(screen.queryByRole('slider')).toBeNull()
  })

  it('that cannot be read leave the rest of the page', async () => {
    shown({}, { 'GET /api/status/figures': problem(502, { detail: 'the gateway does not answer' }) })
    expect((await screen.findByRole('alert')).textContent).toContain('does not answer')
    expect(screen.getByText('1,234')).toBeDefined()
  })

  it('are plots with words, steps by the keyboard, and gaps that are not zero', async () => {
    const { container } = shown()
    const lines = await screen.findByRole('slider', { name: 'Lines stored' })
    const card = lines.closest('section')
    expect(card?.textContent).toMatch(/44 in all, at most 40 in a minute.*not known of 57 minutes of 60/)
    expect(card?.querySelectorAll('[data-gap]')).toHaveLength(57)
    fireEvent.keyDown(lines, { key: 'Home' })
    expect(lines.getAttribute('aria-valuetext')).toMatch(/not known$/)
    for (let i = 0; i < 11; i++) {
      fireEvent.keyDown(lines, { key: 'ArrowRight' })
    }
    expect(lines.getAttribute('aria-valuetext')).toMatch(/: 40 lines$/)
    fireEvent.keyDown(lines, { key: 'End' })
    expect(lines.getAttribute('aria-valuetext')).toMatch(/: 0 lines$/)
    expect(container.querySelectorAll('svg [style], svg[style]')).toHaveLength(0)
  })

  it('are a table, too', async () => {
    const { user } = shown()
    await user.click(await screen.findByRole('button', { name: 'Show 60 rows of a table' }))
    const rows = within(screen.getByRole('table')).getAllByRole('row')
    expect(rows).toHaveLength(61)
    expect(rows[1]?.textContent).toMatch(/0.*0.*0.*0.*12.*not known/)
    expect(rows.filter(row => row.textContent?.includes('3, 1 failed'))).toHaveLength(1)
  })

  it('are of the span that is chosen, days of UTC for a month', async () => {
    const { server, user } = shown()
    const month: FigureSeries = {
      kept: true,
      stepMinutes: 1440,
      from: '2026-10-23T00:00:00Z',
      to: '2026-11-23T00:00:00Z',
      points: [point('2026-11-22T00:00:00Z', { lines: 7, minutes: 600 })],
    }
    await screen.findByRole('slider', { name: 'Lines stored' })
    server.set({ 'GET /api/status/figures': month })
    await user.click(screen.getByText('Month'))
    expect(
      await screen.findByText(/7 in all, at most 7 in a day, 2026-11-22; not known of 30 days of 31/),
    ).toBeDefined()
    expect(server.of('GET', '/api/status/figures').at(-1)?.search.get('span')).toBe('month')
    expect(screen.getByText(/Days of UTC/)).toBeDefined()
  })
})

describe('steps', () => {
  it.each<[string, Partial<FigureSeries>]>([
    ['no length', { stepMinutes: 0 }],
    ['no end', { to: undefined }],
    ['an end before the beginning', { to: '2026-11-22T08:00:00Z' }],
    ['a time that is none', { from: 'soon' }],
  ])('of a series with %s are none', (_, part) => {
    expect(stepsOf({ ...hourOfFigures, ...part })).toEqual([])
  })

  it('are bounded, whatever a gateway says', () => {
    expect(stepsOf({ ...hourOfFigures, from: '1970-01-01T00:00:00Z' }).length).toBeLessThanOrEqual(400)
  })

  it('add up parts, and know nothing of what was not measured', () => {
    const steps = stepsOf(hourOfFigures)
    expect(valueOf(plotOf('deliveries'), steps[11] ?? { at: 0 })).toBe(3)
    expect(valueOf(plotOf('spool'), steps[10] ?? { at: 0 })).toBeUndefined()
    expect(summary(plotOf('storage'), 'hour', steps)).toMatch(/^12 at last, 10 at first/)
    expect(summary(plotOf('waiting'), 'hour', steps)).toBe('Not known in this time')
    expect(summary(plotOf('mails'), 'hour', steps)).toMatch(/^None; not known/)
  })
})
