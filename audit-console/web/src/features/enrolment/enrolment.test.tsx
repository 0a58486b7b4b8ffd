import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { show } from '../../../test/render'
import { problem, serve, Status } from '../../../test/server'
import EnrolmentPage from './EnrolmentPage'

const LINK = 'Zk3v0m1yQ5rT8uW2xA6bC9dE4fG7hJ0kL3nP5qS8tV1'
const zip = () =>
  new Response('zip', { headers: { 'Content-Disposition': 'attachment; filename="bob@acme.example.zip"' } })

let saved: string[]

beforeEach(() => {
  saved = []
  URL.createObjectURL = () => 'blob:test'
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  window.history.replaceState(null, '', `/enrolment#${LINK}`)
})
afterEach(() => {
  vi.unstubAllGlobals()
  window.history.replaceState(null, '', '/')
  window.sessionStorage.clear()
})

const get = async (answers: Record<string, unknown>) => {
  const server = serve(answers)
  const { user } = show(<EnrolmentPage />)
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Get my files' })
  expect(server.of('POST', '/enrolment/files')).toEqual([])
  await user.click(button)
  return { server, user, button }
}

describe('an enrolment link', () => {
  it('gives the files on a click, and lets the console forget them', async () => {
    const { server, user } = await get({ 'POST /enrolment/files': zip, 'POST /enrolment/received': new Status(204) })
    expect(await screen.findByText('bob@acme.example.zip')).toBeDefined()
    const [files] = server.of('POST', '/enrolment/files')
    expect(files?.body).toMatchObject({ link: LINK, browser: expect.stringMatching(/^[0-9a-f]{32}$/) as string })
    expect(server.of('POST', '/enrolment/received')[0]?.body).toEqual(files?.body)
    expect(window.location.hash).toBe('')
    await user.click(screen.getByRole('button', { name: 'Save it again' }))
    expect(saved).toEqual(['bob@acme.example.zip', 'bob@acme.example.zip'])
  })

  it('whose answer was lost is asked again as the same browser', async () => {
    const { server, user, button } = await get({ 'POST /enrolment/files': problem(500) })
    await screen.findByRole('alert')
    server.set({ 'POST /enrolment/files': zip, 'POST /enrolment/received': new Status(204) })
    await user.click(button)
    await screen.findByText('bob@acme.example.zip')
    const [first, second] = server.of('POST', '/enrolment/files')
    expect(second?.body).toEqual(first?.body)
  })

  it('gives the files though nobody hears that they came', async () => {
    await get({ 'POST /enrolment/files': zip, 'POST /enrolment/received': problem(500) })
    expect(await screen.findByText('bob@acme.example.zip')).toBeDefined()
  })

  it.each([
    [
      problem(410, { type: 'urn:veilgate:problem:link-used', detail: 'the link was used at 2026-11-28T09:14:00Z' }),
      /used before.*at once/,
      true,
    ],
    [
      problem(410, { type: 'urn:veilgate:problem:link-over', detail: 'the link was cancelled' }),
      /is over.*was cancelled.*new one/,
      true,
    ],
    [problem(404), /no such link/, true],
    [problem(400), /not whole/, false],
    [problem(423), /still good/, false],
  ])('that gives nothing says why, and what to do', async (answer, said, over) => {
    const { button } = await get({ 'POST /enrolment/files': answer })
    expect((await screen.findByRole('alert')).textContent).toMatch(said)
    await waitFor(() => expect(button.disabled).toBe(over))
    expect(saved).toEqual([])
  })

  it('without its second half asks for all of it', async () => {
    window.history.replaceState(null, '', '/enrolment')
    serve({})
    show(<EnrolmentPage />)
    expect((await screen.findByRole('alert')).textContent).toContain('Copy all of it')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Get my files' }).disabled).toBe(true)
  })

  it('that is copied into the open page once more, or is another one, is the one that is used', async () => {
    window.history.replaceState(null, '', '/enrolment#Zk3v')
    const { server, user, button } = await get({ 'POST /enrolment/files': problem(404) })
    await waitFor(() => expect(button.disabled).toBe(true))
    server.set({ 'POST /enrolment/files': zip, 'POST /enrolment/received': new Status(204) })
    window.location.hash = LINK
    await waitFor(() => expect(button.disabled).toBe(false))
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(button)
    await screen.findByText('bob@acme.example.zip')
    expect(server.of('POST', '/enrolment/files')[1]?.body).toMatchObject({ link: LINK })
  })

  it('gives the files where the browser keeps nothing for pages', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(refuse)
    const { server, user, button } = await get({ 'POST /enrolment/files': problem(500) })
    await screen.findByRole('alert')
    server.set({ 'POST /enrolment/files': zip, 'POST /enrolment/received': new Status(204) })
    await user.click(button)
    await screen.findByText('bob@acme.example.zip')
    const [first, second] = server.of('POST', '/enrolment/files')
    expect(second?.body).toEqual(first?.body)
    vi.restoreAllMocks()
  })
})
