import { describe, expect, it } from 'vitest'
import { search } from '../../../test/samples'
import { pace, standing } from './progress'

describe('how far a search is', () => {
  it('is not told in numbers before the gateway has said how many there are', () => {
    const waiting = search({ state: 'running', envelopes: 0, envelopesDone: 0 })
    expect(pace(waiting)).toBe('waiting for the gateway')
    expect(pace({ ...waiting, envelopes: 657, envelopesDone: 8 })).toBe('8 of 657 envelopes')
    expect(pace(search({ envelopes: 0, envelopesDone: 0 }))).toBe('0 of 0 envelopes')
  })
})

describe('a search of which all envelopes were searched', () => {
  it('is complete only if all was searched and checked', () => {
    expect(standing(search())).toEqual({ tone: 'good', title: 'Complete' })
    const notSearched = ['records for: role:owner']
    for (const part of [{ unchecked: 1 }, { notSearched }, { unchecked: 2, notSearched }]) {
      expect(standing(search(part)).tone).toBe('warn')
    }
    const { title, caution } = standing(search({ unchecked: 2, notSearched }))
    expect(title).toBe('Finished, not all checked')
    expect(caution).toBe('Partial: not searched: records for: role:owner')
  })
})
