import { api, done, save, takeFile, type NamedFile } from '@/shared/api/client'

const KEY = 'veilgate-enrolment-browser'

/** What is behind the # of the page's address: no server hears of it unless the page says it. */
export function linkOfPage(): string {
  return window.location.hash.slice(1)
}

/** What this page drew, where the browser keeps nothing for it. */
let own: string | undefined

/** What this tab drew for itself: the link is bound to it, so that an answer that was lost can be asked for again. */
export function browser(): string {
  own = kept() ?? own ?? drawn()
  keep(own)
  return own
}

function drawn(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function kept(): string | undefined {
  try {
    return window.sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

function keep(value: string): void {
  try {
    window.sessionStorage.setItem(KEY, value)
  } catch {
    // forbidden, or full: then a page that is loaded again is another browser
  }
}

/** Gives the files to the browser's downloads, and lets the console forget them. */
export async function getFiles(link: string): Promise<NamedFile> {
  const body = { link, browser: browser() }
  const file = await takeFile(api.POST('/enrolment/files', { body, parseAs: 'blob' }), 'mail.zip')
  save(file)
  // They are here; if this is not heard, the console forgets them at the end of the link's day.
  await done(api.POST('/enrolment/received', { body })).catch(() => undefined)
  return file
}
