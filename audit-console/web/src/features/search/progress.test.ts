import { describe, expect, it } from 'vitest'
import { search } from '../../../test/samples'
import { pace } from './progress'

describe('how far a search is', () => {
  it('is not told in numbers before the gateway has said how many there are', () => {
    const waiting = search({ state: 'running', envelopes: 0, envelopesDone: 0 })
    expect(pace(waiting)).toBe('waiting for the gateway')
    expect(pace({ ...waiting, envelopes: 657, envelopesDone: 8 })).toBe('8 of 657 envelopes')
    expect(pace(search({ envelopes: 0, envelopesDone: 0 }))).toBe('0 of 0 envelopes')
  })
})
