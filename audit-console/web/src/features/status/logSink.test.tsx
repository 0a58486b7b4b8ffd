import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve } from '../../../test/server'
import { LogSink } from './LogSink'

afterEach(() => vi.unstubAllGlobals())

const sink = { receiver: 'syslog logs.example.org:6514', activity: 'idle', sent: 1234, waiting: 0 }

describe('where the issuing log is sent', () => {
  it('says that it is sent nowhere', async () => {
    serve({ 'GET /api/log/sink': {} })
    show(<LogSink />)
    expect(await screen.findByText(/not sent anywhere/)).toBeDefined()
  })

  it('says how far it has come and how many wait', async () => {
    serve({ 'GET /api/log/sink': { ...sink, activity: 'sending', waiting: 2 } })
    show(<LogSink />)
    expect(await screen.findByText(/entry 1,234 and all before it\. 2 entries wait\./)).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says since when and why it fails', async () => {
    const failing = { since: '2026-11-30T12:00:00Z', reason: 'the receiver answers 503' }
    serve({ 'GET /api/log/sink': { ...sink, failing } })
    show(<LogSink />)
    expect((await screen.findByRole('alert')).textContent).toMatch(/Since .*the receiver answers 503/)
  })

  it('says that the keys are locked, and that the log was put back', async () => {
    const putBack = { at: '2026-11-30T12:00:00Z', from: 20, to: 10 }
    serve({ 'GET /api/log/sink': { ...sink, activity: 'locked', waiting: undefined, putBack } })
    show(<LogSink />)
    expect(await screen.findByText(/while the keys are locked/)).toBeDefined()
    expect(screen.getByText(/What is behind entry 10 is sent/)).toBeDefined()
  })

  it('does not say that nothing waits where it could not be asked', async () => {
    serve({ 'GET /api/log/sink': problem(500) })
    show(<LogSink />)
    expect(await screen.findByRole('alert')).toBeDefined()
    expect(screen.queryByText(/waits/)).toBeNull()
  })
})
