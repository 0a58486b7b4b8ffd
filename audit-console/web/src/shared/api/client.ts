import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from './schema'
import { ApiError } from './problem'
import { sessionState } from '../auth/sessionState'

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Every change carries the CSRF token; every 401 ends the session for the whole page. */
const session: Middleware = {
  onRequest({ request }) {
    if (CHANGES.has(request.method)) {
      request.headers.set('X-CSRF-TOKEN', sessionState.csrf())
    }
    return request
  },
  async onResponse({ response }) {
    if (response.status === 401) {
      sessionState.end()
    } else if (response.status === 403 && (await isAboutCsrf(response))) {
      await newToken()
    }
    return undefined
  },
}

async function isAboutCsrf(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { type?: string }
  return body.type === 'urn:veilgate:problem:csrf'
}

/** Another tab has logged in anew, so that this page's token is an old one: with the new one the next try succeeds. */
async function newToken(): Promise<void> {
  const { data } = await api.GET('/api/session').catch(() => ({ data: undefined }))
  if (data) {
    sessionState.begin(data.csrf, data.user)
  }
}

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  // Looked up at each call: tests put their own in its place.
  fetch: request => globalThis.fetch(request),
})
api.use(session)

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

async function answered<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') {
      throw cause
    }
    throw new ApiError(0)
  }
  if (!answer.response.ok) {
    const body = typeof answer.error === 'object' && answer.error !== null ? answer.error : undefined
    throw new ApiError(answer.response.status, body)
  }
  return answer
}

/** The body of a good answer; everything else is an {@link ApiError}. */
export async function take<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data } = await answered(call)
  if (data === undefined) {
    throw new ApiError(0, { title: 'The console’s answer is empty' })
  }
  return data
}

/** For what answers without a body. */
export async function done(call: Promise<Answer<unknown>>): Promise<void> {
  await answered(call)
}

/** The body with its status, where 201 and 202 mean different things. */
export async function takeWithStatus<T>(call: Promise<Answer<T>>): Promise<{ status: number; data: T }> {
  const { data, response } = await answered(call)
  return { status: response.status, data: data as T }
}

export interface NamedFile {
  name: string
  content: Blob
}

/** A file under the name that the server said. */
export async function takeFile(call: Promise<Answer<Blob>>, fallback: string): Promise<NamedFile> {
  const { data, response } = await answered(call)
  return {
    name: fileName(response.headers.get('Content-Disposition')) ?? fallback,
    content: data as Blob,
  }
}

/** Gives a file to the browser's downloads. */
export function save({ name, content }: NamedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Takes a file and gives it to the browser's downloads; its name. */
export async function download(call: Promise<Answer<Blob>>, fallback: string): Promise<string> {
  const file = await takeFile(call, fallback)
  save(file)
  return file.name
}

/** The server has cleaned both forms; the one in UTF-8 counts. What leads elsewhere or cannot be seen is taken out once more. */
function fileName(disposition: string | null): string | undefined {
  const whole = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition ?? '')?.[1]
  const ascii = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]
  const name = whole === undefined ? ascii : decoded(whole)
  return name?.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu, '').replace(/[\\/:*?"<>|]/g, '_')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
