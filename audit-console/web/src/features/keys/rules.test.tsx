import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { KeywordRules } from '@/shared/api/types'
import { show } from '../../../test/render'
import { problem, serve } from '../../../test/server'
import { changeOf, formOf } from './rulesForm'
import { RulesOfKeywords } from './RulesOfKeywords'

afterEach(() => vi.unstubAllGlobals())

const profile = { ipPrefixes: ['16'], fields: [], numeric: [], wordPrefixes: '', templates: true, stems: [] }
const room = { former: 0, mostFormer: 1024, bytes: 100, mostBytes: 16777216 }
const none: KeywordRules = { nextEpoch: '2026-12', situation: ['Senders make keywords by rules 1.'], profile, room }
const some: KeywordRules = {
  ...none,
  next: { rules: 2, from: '2026-12', used: false },
  situation: ['From epoch 2026-12 on senders use rules 2.'],
}
const used: KeywordRules = { ...some, next: { rules: 2, from: '2026-11', used: true } }
const preview = {
  change: true,
  situation: ['From epoch 2026-12 on both are asked.'],
  notes: ['Update gateways first.'],
}

describe('rules of keywords', () => {
  it('are changed only after it was said what that does', async () => {
    const server = serve({
      'GET /api/keys/rules': none,
      'POST /api/keys/rules/preview': preview,
      'POST /api/keys/rules': some,
    })
    const { user } = show(<RulesOfKeywords />)
    expect(await screen.findByText('Senders make keywords by rules 1.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Use rules 2' }))
    await user.type(await screen.findByLabelText('Fields of plain text'), 'unit, line')
    await user.click(screen.getByRole('button', { name: 'See what it does' }))
    expect(await screen.findByText('From epoch 2026-12 on both are asked.')).toBeDefined()
    expect(screen.getByText('Update gateways first.')).toBeDefined()
    expect(server.of('POST', '/api/keys/rules')).toHaveLength(0)
    server.set({ 'GET /api/keys/rules': some })
    await user.click(screen.getByRole('button', { name: 'Change' }))
    expect(await screen.findByText('From epoch 2026-12 on senders use rules 2.')).toBeDefined()
    const body = { rules: 2, profile: { fields: ['unit', 'line'] } }
    expect(server.of('POST', '/api/keys/rules/preview')[0]?.body).toEqual(body)
    expect(server.of('POST', '/api/keys/rules')[0]?.body).toEqual(body)
  })

  it('that would hide what was sealed are refused before anything is changed', async () => {
    const server = serve({
      'GET /api/keys/rules': used,
      'POST /api/keys/rules/preview': problem(409, { detail: 'networks of 16 bits are left out' }),
    })
    const { user } = show(<RulesOfKeywords />)
    await user.click(await screen.findByRole('button', { name: 'Change the rules' }))
    expect((await screen.findByLabelText<HTMLInputElement>('First epoch')).disabled).toBe(true)
    expect(screen.queryByLabelText('Take the later rules away')).toBeNull()
    await user.clear(screen.getByLabelText('Networks'))
    await user.click(screen.getByRole('button', { name: 'See what it does' }))
    expect((await screen.findByRole('alert')).textContent).toContain('networks of 16 bits are left out')
    expect(server.of('POST', '/api/keys/rules')).toHaveLength(0)
  })

  it('that are to be alone name who would be refused', async () => {
    const former = '2026-11-21T10:00:00Z'
    serve({
      'GET /api/keys/rules': used,
      'POST /api/keys/rules/preview': preview,
      'GET /api/senders/rules': {
        senders: [
          { name: 'press-4', former },
          { name: 'press-5', former, later: '2026-11-22T10:00:00Z' },
          { name: '', former },
          { name: 'quiet-1' },
        ],
      },
    })
    const { user } = show(<RulesOfKeywords />)
    await user.click(await screen.findByRole('button', { name: 'Change the rules' }))
    await user.type(await screen.findByLabelText('Rules 1 are refused from epoch'), '2027-02')
    await user.click(screen.getByRole('button', { name: 'See what it does' }))
    const alert = await screen.findByRole('alert')
    expect(within(alert).getByText('press-4, mail that no sender signed')).toBeDefined()
  })

  it('are not given up in the belief that nobody uses them if the gateway does not answer', async () => {
    serve({
      'GET /api/keys/rules': used,
      'POST /api/keys/rules/preview': preview,
      'GET /api/senders/rules': problem(502, { detail: 'the gateway does not answer' }),
    })
    const { user } = show(<RulesOfKeywords />)
    await user.click(await screen.findByRole('button', { name: 'Change the rules' }))
    await user.type(await screen.findByLabelText('Rules 1 are refused from epoch'), '2027-02')
    await user.click(screen.getByRole('button', { name: 'See what it does' }))
    expect((await screen.findByRole('alert')).textContent).toContain('does not answer')
    expect(screen.queryByText(/saw nobody/)).toBeNull()
  })

  it('are taken away alone, and nothing is sent if nothing is typed', async () => {
    const server = serve({ 'GET /api/keys/rules': some, 'POST /api/keys/rules/preview': preview })
    const { user } = show(<RulesOfKeywords />)
    await user.click(await screen.findByRole('button', { name: 'Change the rules' }))
    const look = await screen.findByRole<HTMLButtonElement>('button', { name: 'See what it does' })
    expect(look.disabled).toBe(true)
    await user.click(screen.getByLabelText('Take the later rules away'))
    await user.click(look)
    await waitFor(() => expect(server.of('POST', '/api/keys/rules/preview')[0]?.body).toEqual({ withdraw: true }))
  })
})

describe('the form', () => {
  it('sends what is other than it is', () => {
    const form = formOf(some)
    expect(changeOf(form, some)).toEqual({})
    expect(changeOf({ ...form, ipPrefixes: ' 16 ' }, some)).toEqual({})
    expect(changeOf({ ...form, ipPrefixes: '', templates: false, wordPrefixes: '3..8' }, some)).toEqual({
      profile: { ipPrefixes: [], templates: false, wordPrefixes: '3..8' },
    })
    expect(changeOf({ ...form, from: '2027-01', aloneFrom: '2027-03' }, some)).toEqual({
      from: '2027-01',
      aloneFrom: '2027-03',
    })
    const alone = { ...used, next: { from: '2026-11', used: true, aloneFrom: '2027-03' } }
    expect(changeOf({ ...formOf(alone), aloneFrom: '' }, alone)).toEqual({ aloneFrom: '' })
    expect(changeOf({ ...form, from: '2027-01', withdraw: true }, some)).toEqual({ withdraw: true })
  })
})
