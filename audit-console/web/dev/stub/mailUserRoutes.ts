import type { MailUser } from '../../src/shared/api/types.ts'
import { mailUsers } from './admin.ts'
import { empty, file, json, Refusal, type Call, type Handler, type Route } from './http.ts'

const used = new Set<string>()

async function enrol({ body, response }: Call): Promise<void> {
  const { address, renew } = (await body()) as { address: string; renew: boolean }
  const known = mailUsers.users.find(user => user.address === address)
  if (known?.certificate && !renew) {
    throw new Refusal(409, 'Conflict', `${address} is enrolled already; renew its certificate instead`)
  }
  const created = new Date().toISOString()
  const expires = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const user: MailUser = known ?? { address, issuedHere: true }
  user.link = { state: 'open', created, createdBy: 'ada', expires }
  if (!known) mailUsers.users.push(user)
  const link = 'https://audit.acme.example/enrolment#Zk3v0m1yQ5rT8uW2xA6bC9dE4fG7hJ0kL3nP5qS8tV1'
  json(response, { address, link, passphrase: '7K2PM-QX4RT-9BWZE-3HNVC-5JDFS', expires }, 201)
}

const change =
  (make: (user: MailUser) => void): Handler =>
  async ({ body, response }) => {
    const { address } = await body()
    mailUsers.users.filter(user => user.address === address).forEach(make)
    empty(response)
  }

async function files({ body, response }: Call): Promise<void> {
  const { link } = (await body()) as { link: string }
  if (used.has(link)) {
    throw new Refusal(410, 'Gone', 'the link was used at 2026-11-28T09:14:00Z', undefined, 'link-used')
  }
  used.add(link)
  file(response, 'bob@acme.example.zip', 'stub', 'application/zip')
}

export const MAIL_USER_ROUTES: Route[] = [
  ['GET', /^\/api\/mail-users$/, ({ response }) => json(response, mailUsers)],
  ['POST', /^\/api\/mail-users\/enrol$/, enrol],
  [
    'POST',
    /^\/api\/mail-users\/cancel-link$/,
    change(({ link }) => {
      if (link) link.state = 'cancelled'
    }),
  ],
  [
    'POST',
    /^\/api\/mail-users\/withdraw$/,
    change(user => {
      delete user.certificate
    }),
  ],
]

/** Without login. */
export const LINK_ROUTES: Route[] = [
  ['POST', /^\/enrolment\/files$/, files],
  ['POST', /^\/enrolment\/received$/, ({ response }) => empty(response)],
]
