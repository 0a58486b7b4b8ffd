import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What runs, as the Java side says it. */
const given = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: the tests that start one set it`)
  }
  return value
}

export const CONSOLE = given('CONSOLE')
/** Another origin that people are sent to, to log in. */
export const PROVIDER = process.env.PROVIDER
/** The command `veilgate`, and what a verifier knows of the authority. */
export const VEILGATE = process.env.VEILGATE ?? ''
export const AUTHORITY = process.env.AUTHORITY ?? ''
/** The folder of the demonstration: its agent follows what is appended to the logs there. */
export const SITE = process.env.SITE ?? ''
/** How many times slower the pages run than the browser could: what only a fast machine passes fails then. */
export const SLOWDOWN = Number(process.env.JOURNEYS_SLOWDOWN ?? '1')
/** Where pictures for the documentation go; none are made without it. */
export const PICTURES = process.env.VEILGATE_PICTURES

export const PASSWORD = process.env.PASSWORD ?? 'veilgate-demo'
/** What one line and one mail of a site in containers have in them. */
export const LOG_WORD = process.env.LOG_WORD ?? ''
export const MAIL_WORD = process.env.MAIL_WORD ?? ''
export const MAILBOX = 'alice@demo.example'

export const hostile = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../hostile/${name}`, import.meta.url)), 'utf8')
