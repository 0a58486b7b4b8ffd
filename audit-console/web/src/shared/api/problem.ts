import type { components } from './schema'

type ProblemBody = components['schemas']['Problem']

/** An answer that is not the one that was asked for. Status 0: there was no answer at all. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly detail: string | undefined
  readonly rule: string | undefined

  constructor(status: number, body?: Partial<ProblemBody>) {
    super(body?.title ?? (status === 0 ? 'The console does not answer' : `The console answered ${status}`))
    this.name = 'ApiError'
    this.status = status
    this.type = (body?.type ?? '').replace('urn:veilgate:problem:', '')
    this.detail = body?.detail
    this.rule = body?.rule
  }
}

export interface Explanation {
  title: string
  what: string
  todo?: string
}

/** Answers 409 that are no matter of somebody else's change. */
const REFUSALS: Record<string, string> = {
  enrolled: 'Enrolled already',
  'not-enrolled': 'Not enrolled',
  'foreign-domain': 'Not one of your mail domains',
  'no-mail-signer': 'Mail is not signed yet',
}

/** What an error means to the person in front of it, and what she can do. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof ApiError)) {
    return {
      title: 'This page has an error',
      what: error instanceof Error ? error.message : 'Something unexpected happened.',
      todo: 'Reload the page. If it happens again, tell whoever runs the console.',
    }
  }
  const what = error.detail ?? error.message
  switch (error.status) {
    case 0:
      return {
        title: 'The console does not answer',
        what: 'The request did not reach it, or its answer did not come back.',
        todo: 'Check your connection, then try again.',
      }
    case 401:
      return { title: 'Your session is over', what: 'Log in again to go on.' }
    case 403:
      if (error.type === 'csrf') {
        return {
          title: 'This page was from an older login',
          what: 'Nothing was done. The page has now taken over your present login.',
          todo: 'Do it once more.',
        }
      }
      return {
        title: 'Not allowed',
        what,
        todo: error.rule ? `The rule “${error.rule}” decided this.` : 'No rule or role of yours allows it.',
      }
    case 404:
      return {
        title: 'No longer there',
        what: error.detail ?? 'The console does not hold this any more.',
        todo: 'Searches are forgotten after a while. Search again.',
      }
    case 409:
      if (REFUSALS[error.type]) {
        return { title: REFUSALS[error.type] ?? '', what }
      }
      return { title: 'It has changed meanwhile', what, todo: 'Load it again, then repeat what you wanted to do.' }
    case 423:
      return {
        title: 'The keys are locked',
        what: 'The console cannot search or read until the key store is open.',
        todo: 'A keeper opens it with its passphrase under Keys.',
      }
    case 502:
      return {
        title: 'The gateway does not answer',
        what: error.detail ?? 'The console is up, but the gateway that stores the messages is not to be reached.',
        todo: 'Nothing was found or missed: no search was made. Ask whoever runs the gateway, then try again.',
      }
    default:
      return {
        title: error.message,
        what: error.detail ?? 'The console could not do what was asked.',
        todo: 'Try again. If it happens again, tell whoever runs the console.',
      }
  }
}
