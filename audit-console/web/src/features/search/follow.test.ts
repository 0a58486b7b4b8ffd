import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/shared/api/problem'
import { Events } from '../../../test/eventSource'
import { search } from '../../../test/samples'
import { follow } from './useSearch'

const follower = () => ({
  state: vi.fn(),
  connection: vi.fn(),
  check: vi.fn<() => Promise<unknown>>().mockResolvedValue(undefined),
})

beforeEach(() => {
  Events.install()
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the events of a search', () => {
  it('are told as they come, until the end', () => {
    const told = follower()
    follow('s1', told)
    const events = Events.last()
    expect(events.url).toBe('/api/searches/s1/events')
    events.open()
    events.state(search({ state: 'running', rows: 1 }))
    expect(events.readyState).toBe(Events.OPEN)
    events.state(search({ state: 'complete', rows: 2 }))
    expect(told.state.mock.calls.map(([state]) => (state as { rows: number }).rows)).toEqual([1, 2])
    expect(events.readyState).toBe(Events.CLOSED)
  })

  it.each(['limited', 'stopped', 'failed'] as const)('end with %s, too', state => {
    follow('s1', follower())
    Events.last().state(search({ state }))
    expect(Events.last().readyState).toBe(Events.CLOSED)
  })

  it('are left to the browser while it connects again by itself', async () => {
    const told = follower()
    follow('s1', told)
    Events.last().fail({ closed: false })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Events.all).toHaveLength(1)
    expect(told.connection).toHaveBeenLastCalledWith('lost')
    Events.last().open()
    expect(told.connection).toHaveBeenLastCalledWith('open')
  })

  it('are connected again where the browser gives up, with growing waits', async () => {
    const told = follower()
    follow('s1', told)
    Events.last().fail({ closed: true })
    await vi.advanceTimersByTimeAsync(999)
    expect(Events.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(Events.all).toHaveLength(2)
    Events.last().fail({ closed: true })
    await vi.advanceTimersByTimeAsync(1999)
    expect(Events.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(Events.all).toHaveLength(3)
  })

  it.each([401, 404])('are given up when the search or the session is gone (%d)', async status => {
    const told = follower()
    told.check.mockRejectedValue(new ApiError(status))
    follow('s1', told)
    Events.last().fail({ closed: true })
    await vi.advanceTimersByTimeAsync(300_000)
    expect(Events.all).toHaveLength(1)
    expect(told.check).toHaveBeenCalledOnce()
  })

  it('are tried again and again while the console is away', async () => {
    const told = follower()
    told.check.mockRejectedValueOnce(new ApiError(0)).mockRejectedValueOnce(new ApiError(502))
    follow('s1', told)
    Events.last().fail({ closed: true })
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000)
    expect(told.check).toHaveBeenCalledTimes(3)
    expect(Events.all).toHaveLength(2)
  })

  it('are not listened to any more after leaving', async () => {
    const told = follower()
    const stop = follow('s1', told)
    Events.last().fail({ closed: true })
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Events.all).toHaveLength(1)
    expect(told.check).not.toHaveBeenCalled()
  })
})
