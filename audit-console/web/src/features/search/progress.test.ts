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

  it('says what the console gives as reasons, also those of a later version', () => {
    const older = { code: 'older-epochs-not-asked', names: ['2026-10', '2026-09'], more: 2 }
    expect(standing(search({ incomplete: [] }))).toEqual({ tone: 'good', title: 'Complete' })
    expect(standing(search({ incomplete: [older] }))).toEqual({
      tone: 'good',
      title: 'Complete, of this epoch alone',
      caution: '4 older epochs not asked: name a time to search them.',
    })
    const target = { code: 'targets-not-asked', names: ['plant-7 in 2026-11'], more: 3 }
    const later = { code: 'moon-not-full', names: [], more: 5 }
    expect(standing(search({ incomplete: [older, target, later] }))).toEqual({
      tone: 'warn',
      title: 'Complete, as far as it could be',
      caution:
        '4 older epochs not asked: name a time to search them. ' +
        'Partial: the gateway has more in these times, which was not asked: plant-7 in 2026-11, 3 more. ' +
        'Partial: moon-not-full: 5.',
    })
    const unreadable = { code: 'unreadable', names: [], more: 1 }
    expect(standing(search({ unreadable: 1, incomplete: [unreadable] }))).toEqual({
      tone: 'warn',
      title: 'Complete, as far as it could be',
    })
  })
})
