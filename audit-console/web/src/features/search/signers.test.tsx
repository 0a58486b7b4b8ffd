import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Row } from '@/shared/api/types'
import { SIGNERS, signedWords } from '@/shared/ui/signers'
import { Events } from '../../../test/eventSource'
import { show } from '../../../test/render'
import { search } from '../../../test/samples'
import { found } from '../../../test/searchPage'
import { serve, Status } from '../../../test/server'
import SearchPage from './SearchPage'

beforeEach(() => Events.install())
afterEach(() => vi.unstubAllGlobals())

const mail = (row: number, part: Partial<Row>): Row => ({
  row,
  kind: 'mail',
  envelope: `0198f4a2-0000-7000-8000-00000000000${row}`,
  time: '2026-11-22T10:00:00Z',
  timeSource: 'own',
  sender: 'smtp',
  proven: false,
  from: 'Ada <ada@acme.example>',
  to: 'dave@acme.example',
  text: `mail ${row}`,
  ...part,
})

describe('mails', () => {
  it('say who signed them, before the name that they give themselves', async () => {
    const rows = [
      ...SIGNERS.map((signed, row) => mail(row, { signed, signedBy: 'ada@acme.example' })),
      mail(5, { signed: 'nobody', altered: ['From', 'Subject'] }),
    ]
    serve({
      ...found({ mail: true, rows: rows.length }),
      'GET /api/searches/s1/rows': { from: 0, total: rows.length, rows },
    })
    show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByText('mail 5')
    const labels = screen
      .getAllByRole('row')
      .slice(1)
      .map(row =>
        within(row)
          .queryByLabelText(/^Signed by/)
          ?.getAttribute('aria-label'),
      )
    expect(labels).toEqual([
      'Signed by ada@acme.example: its certificate names the address in From',
      'Signed by ada@acme.example, who is not in From: its certificate names another address than From does',
      'Signed by the tenant: an edge sealed it and did not know whose it is',
      'Signed by a stranger’s key: the key is not of the tenant: what it says, anybody can say',
      'Signed by nobody: anybody may have written it',
      'Signed by nobody: anybody may have written it',
    ])
    expect(screen.getAllByLabelText(/something else than what was sealed: From, Subject/)).toHaveLength(1)
  })

  it('hide no direction signs in the address of a signer', () => {
    expect(signedWords({ signed: 'another', signedBy: 'a\u202eb@x' })).not.toContain('\u202e')
  })

  it('are looked for by who signed them', async () => {
    const server = serve({ ...found({ mail: true }), 'POST /api/searches': new Status(201, search({ mail: true })) })
    const { user } = show(<SearchPage />, {
      state: { query: { query: 'urgent', scope: 'mail/ada', mail: true, signed: ['tenant'] } },
    })
    await user.click(await screen.findByRole('button', { name: 'Signed by: the tenant' }))
    await user.click(await screen.findByRole('checkbox', { name: 'nobody' }))
    await user.click(screen.getByRole('checkbox', { name: 'the tenant' }))
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/searches')[0]?.body).toMatchObject({ query: 'urgent', signed: ['nobody'] }),
    )
  })

  it('without a date are counted', async () => {
    serve(found({ mail: true, rows: 12, undated: 12 }))
    show(<SearchPage />, { path: '/searches/s1' })
    expect(await screen.findByText(/12 mails have no date, or one that cannot be, and stand at/)).toBeDefined()
  })

  it('that others signed are counted', async () => {
    serve(found({ mail: true, rows: 0, signed: ['sender'], otherwiseSigned: 3 }))
    show(<SearchPage />, { path: '/searches/s1' })
    expect(await screen.findByText('Nothing was found that is signed so')).toBeDefined()
    expect(screen.getByText(/3 more mails are signed by others than you asked for/)).toBeDefined()
    expect(screen.getByText('only signed by whoever is in From')).toBeDefined()
  })

  it('make a route of whoever signed, and are saved with those asked for', async () => {
    const server = serve({
      ...found({ mail: true, signed: ['sender'] }),
      'POST /api/routes': new Status(201, { name: 'pager', actions: [], secret: 'c2VjcmV0' }),
      'POST /api/saved-searches': new Status(201, { id: 'x', name: 'n', created: '2026-11-22T00:00:00Z', query: {} }),
    })
    const { user } = show(<SearchPage />, { path: '/searches/s1' })
    await user.click(await screen.findByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Save this search' }))
    await user.type(await screen.findByLabelText('Name'), 'ours')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(server.of('POST', '/api/saved-searches')[0]?.body).toMatchObject({ query: { signed: ['sender'] } }),
    )
    await user.click(await screen.findByRole('button', { name: 'More about this search' }))
    await user.click(await screen.findByRole('button', { name: 'Make it a standing route' }))
    await user.type(await screen.findByLabelText('Name'), 'pager')
    await user.type(screen.getByLabelText('Address'), 'oncall@example.org')
    await user.click(screen.getByRole('button', { name: 'Install' }))
    await waitFor(() => expect(server.of('POST', '/api/routes')).toHaveLength(1))
    expect(server.of('POST', '/api/routes')[0]?.body).not.toHaveProperty('query.signed')
  })
})

describe('records', () => {
  it('offer nothing to choose: who signed them stands at each', async () => {
    serve(found())
    show(<SearchPage />, { path: '/searches/s1' })
    await screen.findByText('line 1')
    expect(screen.queryByRole('button', { name: /^Signed by/ })).toBeNull()
  })
})
