import { describe, expect, it } from 'vitest'
import type { Recheck } from '@/shared/api/types'
import { recheckSaid } from './recheck'

const recheck = (part: Partial<Recheck> = {}): Recheck => ({
  state: 'done',
  numbers: 1_000_000,
  drawn: 1000,
  tested: 1000,
  caught: 0,
  notTested: [],
  moreNotTested: 0,
  odds: [
    { hidden: 1, probability: 0.001 },
    { hidden: 40, probability: 0.039229 },
  ],
  unsure: 0,
  uneven: [],
  unchecked: [],
  moreUnchecked: 0,
  ...part,
})

describe('a recheck', () => {
  it('says of how much it speaks, and never more than is so', () => {
    const { text, tone } = recheckSaid(recheck())
    expect(text).toMatch(/^Rechecked: 1.000 of 1.000.000 signed envelopes without a hit tested at random\./)
    expect(text).toContain('of 1 hidden: 0.1 %; of 40 hidden: 3.92 %')
    expect(tone).toBe('dim')
    expect(recheckSaid(recheck({ odds: [{ hidden: 1, probability: 0.999999 }] })).text).toContain('99.9 %')
    expect(recheckSaid(recheck({ odds: [{ hidden: 1, probability: 0.000002 }] })).text).toContain('0.0002 %')
  })

  it('that caught something is bad', () => {
    const { text, tone } = recheckSaid(recheck({ caught: 2 }))
    expect(text).toContain('2 envelopes of these match, and the gateway did not find them')
    expect(tone).toBe('bad')
  })

  it('names what it asked for and could not test', () => {
    const missing = { sender: 'press-4', number: 7, reason: 'not-given' as const }
    expect(recheckSaid(recheck({ notTested: [missing], moreNotTested: 2 }))).toMatchObject({
      tone: 'warn',
      text: expect.stringContaining('3 asked for and not tested.') as string,
    })
    expect(recheckSaid(recheck({ notTested: [{ ...missing, reason: 'retention' }] })).tone).toBe('dim')
    expect(recheckSaid(recheck({ unchecked: ['gate-9'], moreUnchecked: 1 })).text).toContain(
      'Nothing was tested of 2 senders.',
    )
  })

  it('that did not come to its end says so', () => {
    expect(recheckSaid(recheck({ state: 'off', reason: 'mail has no chain' })).text).toBe(
      'Not rechecked: mail has no chain.',
    )
    expect(recheckSaid(recheck({ state: 'running', tested: 5 })).text).toMatch(/^Rechecking: 5 of /)
    expect(recheckSaid(recheck({ state: 'failed', reason: 'the gateway does not answer' }))).toMatchObject({
      tone: 'warn',
      text: expect.stringContaining('It ended early: the gateway does not answer.') as string,
    })
  })
})
