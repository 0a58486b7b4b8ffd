import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { noIndexes, ofSender, senderPage, sweptSender } from '../../../test/samples'
import { serve, Status } from '../../../test/server'
import { Indexes } from './Indexes'
import SendersPage from './SendersPage'
import { Sweep } from './Sweep'

afterEach(() => vi.unstubAllGlobals())

const hiding = ofSender('press-4', {
  lacking: 2,
  counted: 16,
  stopped: true,
  notChecked: 5,
  reasons: [{ reason: 'too-many-findings', count: 5 }],
})

const shown = async (part: Partial<typeof noIndexes>) => {
  const server = serve({
    'GET /api/senders/indexes': { ...noIndexes, ...part },
    'POST /api/senders/indexes/allow': new Status(204),
    'POST /api/senders/indexes/allow-day': new Status(204),
    'POST /api/senders/indexes/callers': new Status(204),
  })
  const { user } = show(<Indexes />)
  const table = await screen.findByRole('table')
  return { server, user, rows: () => within(table).getAllByRole('row').slice(1) }
}

describe('complete indexes', () => {
  it('name those first that index less than they seal, and why others are not checked', async () => {
    const { rows } = await shown({ senders: [ofSender(''), ofSender('gate-9'), hiding, ofSender('mail/00ff')] })
    const texts = rows().map(row => row.textContent ?? '')
    expect(texts[0]).toMatch(/press-4.*2.*stopped after 16 findings.*5: There were as many findings as may be/)
    expect(texts[1]).toContain('Nobody answers for it')
    expect(texts[2]).toMatch(/gate-9.*none/)
    expect(texts[3]).toMatch(/Mail signed for the tenant.*00ff/)
  })

  it('of a stopped sender are looked into again when a keeper has said so', async () => {
    const { server, user } = await shown({ senders: [hiding] })
    await user.click(screen.getByRole('button', { name: 'Check again press-4' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(server.of('POST', '/api/senders/indexes/allow')).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Check again' }))
    await waitFor(() => expect(server.of('POST', '/api/senders/indexes/allow')[0]?.body).toEqual({ name: 'press-4' }))
  })

  it('are looked into again after a day with too many findings', async () => {
    const { server, user } = await shown({ dayStopped: true, senders: [ofSender('gate-9')] })
    expect((await screen.findByRole('alert')).textContent).toContain('256 findings in a day')
    await user.click(screen.getByRole('button', { name: 'Check again all senders' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Check again' }))
    await waitFor(() => expect(server.of('POST', '/api/senders/indexes/allow-day')).toHaveLength(1))
  })

  it('of keywords that a sender gives itself can be excused', async () => {
    const reasons = [{ reason: 'keywords-of-caller' as const, count: 1 }]
    const { server, user } = await shown({ senders: [ofSender('tool-1', { lacking: 1, reasons }), ofSender('gate-9')] })
    await user.click(screen.getByRole('button', { name: 'Excuse keywords of its own' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/senders/indexes/callers')[0]?.body).toEqual({ name: 'tool-1', allowed: true }),
    )
  })

  it('are for keepers', async () => {
    serve({
      'GET /api/senders': senderPage([{ name: 'press-4', registered: true, state: 'complete' }]),
      'GET /api/senders/rules': { senders: [] },
    })
    show(<SendersPage />, { roles: ['operator'] })
    await screen.findByText('press-4')
    expect(screen.queryByRole('region', { name: 'Complete indexes' })).toBeNull()
  })
})

describe('the sweep', () => {
  it('says of each sender what was not checked, and how probably a dishonest one was seen', async () => {
    const swept = sweptSender('press-4', { notGiven: 3, notGivenNumbers: [3, 9], notOpenable: 2, empty: 1 })
    serve({ 'GET /api/senders/sweep': { envelopes: 10, senders: [swept] } })
    show(<Sweep />)
    const text = (await screen.findByRole('row', { name: /press-4/ })).textContent
    expect(text).toMatch(/60 of 1 to 1.200.*44.*3 not given by the gateway, last no. 3, 9.*2 not openable/)
    expect(text).toMatch(/1 in 100: 35.7 %; of 1 in 10: 99.9 %/)
    expect(screen.getByText(/10 of each registered sender.*Mail has no chain/)).toBeDefined()
  })

  it('says of mail that the gateway chose it', async () => {
    const mail = sweptSender('mail/0f3a', { listed: true, highest: 0 })
    const nobody = sweptSender('', { listed: true, highest: 0 })
    serve({ 'GET /api/senders/sweep': { envelopes: 10, senders: [nobody, mail] } })
    show(<Sweep />)
    expect((await screen.findByRole('row', { name: /mail\/0f3a/ })).textContent).toContain('60 of the gateway’s list')
    expect(screen.getByRole('row', { name: /mail that nobody answers for/ })).toBeDefined()
    expect(screen.getByText(/the gateway draws it, and what it leaves out nobody notices/)).toBeDefined()
  })
})
