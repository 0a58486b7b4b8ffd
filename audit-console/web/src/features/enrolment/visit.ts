import { api, done, save, takeFile, type NamedFile } from '@/shared/api/client'

const KEY = 'veilgate-enrolment-browser'

/** What is behind the # of the page's address: no server hears of it unless the page says it. */
export function linkOfPage(): string {
  return window.location.hash.slice(1)
}

/** What this tab drew for itself: the link is bound to it, so that an answer that was lost can be asked for again. */
export function browser(): string {
  const kept = window.sessionStorage.getItem(KEY)
  if (kept) {
    return kept
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const drawn = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  window.sessionStorage.setItem(KEY, drawn)
  return drawn
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
