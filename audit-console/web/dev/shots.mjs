// Pictures of the main views against the stub, in Debian's Chromium, under the policy that the console sends. It fails at a violation of the policy or an error of the page,
// and at what axe finds. Needs `npm run build` before.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { preview } from 'vite'

const only = process.argv[2]
const out = new URL('../shots/', import.meta.url).pathname
mkdirSync(out, { recursive: true })
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' })
const base = `http://127.0.0.1:${server.httpServer.address().port}`
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const faults = []

async function open({ width = 1360, height = 850, scheme = 'light', roles } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme })
  const page = await context.newPage()
  page.on('console', message => {
    const text = message.text()
    if (message.type() === 'error' && !/status of (4|5)\d\d/.test(text)) faults.push(text)
  })
  page.on('pageerror', error => faults.push(String(error)))
  await page.goto(`${base}/oauth2/authorization/veilgate${roles ? `?roles=${roles}` : ''}`)
  return page
}

async function shot(page, name, { settle = 350 } = {}) {
  await page.waitForTimeout(settle)
  await page.screenshot({ path: `${out}${name}.png` })
  // Run through the debugger's protocol, which the page's policy does not bind.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
    }),
  )
  for (const { id, nodes } of found.violations)
    faults.push(
      `${name}: axe ${id}: ${nodes
        .slice(0, 2)
        .map(node => node.html.slice(0, 150) + ' ' + (node.failureSummary ?? '').split('\n')[1])
        .join(' | ')}`,
    )
  console.log(name)
}

async function search(page, query, { scope } = {}) {
  if (scope) {
    await page.getByRole('combobox', { name: 'Scope' }).click()
    await page.getByRole('option', { name: scope }).click()
  }
  const bar = page.getByRole('textbox', { name: 'Query' })
  await bar.fill(query)
  await bar.press('Escape')
  await page.locator('[data-verdict]').waitFor()
  const old = page.url()
  await bar.press('Enter')
  await page.waitForFunction(url => location.href !== url || document.querySelector('[role=alert]'), old)
}

const ended = page =>
  page.locator('[data-search-state]:not([data-search-state=running]):not([data-search-state=issuing])').waitFor()

/** Pages and dialogs where there is little room: the button of each dialog is in sight, and nothing is wider than the screen. */
async function telephone() {
  const page = await open({ width: 390, height: 844 })
  const fits = async name => {
    const wide = await page.evaluate(() => {
      const main = document.querySelector('main')
      return main.scrollWidth > main.clientWidth || document.documentElement.scrollWidth > innerWidth
    })
    if (wide) faults.push(`${name}: wider than the screen`)
  }
  const inSight = async (name, button) => {
    const box = await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).boundingBox()
    if (!box || box.y < 0 || box.y + box.height > 844) faults.push(`${name}: the button ${button} is out of sight`)
  }
  for (const name of ['status', 'senders', 'routes']) {
    await page.goto(`${base}/${name}`)
    await page.locator('[data-state=data]').first().waitFor()
    await shot(page, `phone-${name}`, { settle: 800 })
    await fits(name)
  }
  await page.goto(`${base}/status`)
  await page.getByRole('slider', { name: 'Lines stored' }).scrollIntoViewIfNeeded()
  await shot(page, 'phone-status-plots', { settle: 800 })
  await page.goto(`${base}/senders`)
  await page.getByRole('button', { name: 'Filter' }).click()
  await shot(page, 'phone-senders-filter', { settle: 500 })
  await fits('senders-filter')
  for (const [path, opener, button] of [
    ['routes', /^New route/, 'Install'],
    ['routes', /^Remove/, 'Remove'],
    ['senders', /^Register a sender/, 'Register'],
    ['senders', /^Access of press-4/, 'Done'],
    ['senders', /^Remove press-4/, 'Remove'],
  ]) {
    await page.goto(`${base}/${path}`)
    if (path === 'senders') await page.getByRole('textbox', { name: /^Part of a name/ }).fill('press-4')
    await page.getByRole('button', { name: opener }).first().click()
    await page.getByRole('dialog').waitFor()
    const name = `phone-${path}-${button.toLowerCase()}`
    await shot(page, name, { settle: 600 })
    await inSight(name, button)
  }
}

const views = {
  async welcome() {
    const page = await open()
    await page.goto(`${base}/stub/expire`)
    await shot(page, 'welcome')
  },
  async search() {
    const page = await open()
    await page.getByRole('textbox', { name: 'Query' }).click()
    await page.keyboard.type('level:error AND te')
    await shot(page, 'search-completion', { settle: 700 })
    await search(page, 'level:error AND slow')
    await page.getByRole('grid').waitFor()
    await shot(page, 'search-running', { settle: 2500 })
    await page.keyboard.press('Escape')
    await page.locator('[data-search-state=stopped]').waitFor()
    await shot(page, 'search-stopped')
    await search(page, 'level:error AND sshd')
    await page.locator('[data-search-state=complete]').waitFor()
    await shot(page, 'search-results', { settle: 900 })
    await page.getByRole('button', { name: 'Fields' }).click()
    const fields = page.getByRole('region', { name: 'Fields of what was found' })
    for (const name of ['temperature', 'Level'])
      await fields.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await fields.getByText('median').waitFor()
    await fields.getByRole('button', { name: 'Show user as a column' }).click()
    await shot(page, 'search-fields')
    await fields.getByRole('button', { name: 'Close the fields' }).click()
    await page.getByRole('button', { name: 'Columns' }).click()
    await shot(page, 'search-columns')
    await page.keyboard.press('Escape')
    const chart = await page.locator('.u-over').boundingBox()
    await page.mouse.move(chart.x + chart.width * 0.5, chart.y + 20)
    await page.mouse.down()
    await page.mouse.move(chart.x + chart.width * 0.7, chart.y + 25, { steps: 5 })
    await page.mouse.up()
    if (!/ to /.test((await page.getByRole('button', { name: /^Time:/ }).textContent()) ?? ''))
      faults.push('search: dragging across the histogram does not narrow the time')
    await page.getByRole('grid').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page
      .getByRole('row', { name: /Failed password/ })
      .first()
      .click()
    await page.getByRole('complementary', { name: 'Record' }).getByText('Keywords').waitFor()
    await shot(page, 'record-open', { settle: 700 })
    await page.getByRole('tab', { name: 'Surrounding' }).click()
    await shot(page, 'record-surrounding', { settle: 600 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Chain check' }).click()
    await page.getByText('of 4 sources').waitFor()
    await shot(page, 'search-chains', { settle: 700 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export' }).click()
    await shot(page, 'search-export', { settle: 500 })
  },
  async million() {
    const page = await open()
    await search(page, 'million')
    await ended(page)
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('End')
    await page.getByText('of 1,000,000', { exact: false }).first().waitFor()
    await shot(page, 'million-end', { settle: 900 })
    const last = await page.locator('[role=row][aria-rowindex="1000001"]').count()
    if (last !== 1) faults.push('million: the last row is not there after End')
    const topRow = () =>
      page.evaluate(() => Number(document.querySelector('[role=rowgroup] [role=row]').getAttribute('aria-rowindex')))
    await page.evaluate(() => {
      document.querySelector('[role=grid]').scrollTop = 3_000_000
    })
    await page.waitForTimeout(400)
    const before = await topRow()
    await grid.hover()
    for (let i = 0; i < 10; i++) {
      await page.mouse.wheel(0, 102)
      await page.waitForTimeout(60)
    }
    await page.waitForTimeout(400)
    const by = (await topRow()) - before
    if (Math.abs(by - 30) > 1)
      faults.push(`million: 1,020 pixels of the wheel moved ${by} rows of 34 pixels instead of 30`)
    const worst = await page.evaluate(async () => {
      const element = document.querySelector('[role=grid]')
      const times = []
      for (let i = 0; i < 120; i++) {
        const before = performance.now()
        element.scrollTop = (element.scrollHeight * i) / 120
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
        times.push(performance.now() - before)
      }
      times.sort((a, b) => a - b)
      return {
        median: times[60],
        p95: times[114],
        worst: times.at(-1),
        elements: document.querySelectorAll('*').length,
      }
    })
    console.log('million: ms a frame while dragging', worst)
  },
  async mail() {
    const page = await open()
    await search(page, 'subject:urgent', { scope: 'ada@example.org' })
    await ended(page)
    await shot(page, 'mail-results', { settle: 900 })
    await page.locator('[role=row][aria-rowindex="8"]').click()
    await page.getByText('As designed').click()
    await shot(page, 'mail-open', { settle: 900 })
  },
  async unchecked() {
    for (const [name, options] of [
      ['unchecked', {}],
      ['dark-unchecked', { scheme: 'dark' }],
      ['narrow-unchecked', { width: 400, height: 800 }],
    ]) {
      const page = await open(options)
      await search(page, 'subject:urgent', { scope: 'ada@example.org' })
      await ended(page)
      await page.getByRole('button', { name: '4 mails not checked' }).click()
      await page.getByRole('button', { name: 'Check all' }).waitFor()
      await shot(page, name, { settle: 700 })
      await page.getByRole('button', { name: 'Check all' }).click()
      await page.getByText('found: row').last().waitFor()
      await shot(page, `${name}-checking`)
      await page.getByText('takes too long still').last().waitFor()
      await shot(page, `${name}-checked`)
      await page.getByRole('button', { name: /^found: row/ }).click()
      await page.getByRole('complementary', { name: 'Mail' }).waitFor()
      await shot(page, `${name}-row`, { settle: 900 })
    }
  },
  async states() {
    const page = await open()
    for (const [name, query] of [
      ['refused', 'refused'],
      ['approval', 'salary AND plant'],
      ['syntax', 'level:error AND (unit:sshd'],
    ]) {
      await page.getByRole('textbox', { name: 'Query' }).fill(query)
      await page.keyboard.press('Escape')
      await shot(page, `search-${name}`, { settle: 900 })
    }
    for (const [name, query] of [
      ['failed', 'fail'],
      ['nothing', 'nothing'],
      ['limited', 'limited'],
    ]) {
      await search(page, query)
      await page.locator(`[data-search-state=${name === 'nothing' ? 'complete' : name}]`).waitFor()
      await shot(page, `search-${name}`, { settle: 800 })
    }
    for (const [name, query] of [
      ['away', 'away'],
      ['locked', 'locked'],
    ]) {
      await search(page, query)
      await page.getByRole('alert').waitFor()
      await shot(page, `search-${name}`)
    }
  },
  async session() {
    const page = await open()
    await page.getByRole('textbox', { name: 'Query' }).fill('level:error')
    await page.context().clearCookies()
    await page.getByRole('textbox', { name: 'Query' }).fill('level:error AND typed')
    await page.getByRole('dialog').waitFor()
    await shot(page, 'session-over', { settle: 600 })
    await page.getByRole('button', { name: 'Log in again' }).click()
    await page.waitForLoadState()
    const typed = await page.getByRole('textbox', { name: 'Query' }).inputValue()
    if (typed !== 'level:error AND typed') faults.push(`session: what was typed is lost: "${typed}"`)
  },
  async enrolment() {
    const page = await open()
    await page.goto(`${base}/stub/expire`)
    await page.goto(`${base}/enrolment#Zk3v0m1yQ5rT8uW2xA6bC9dE4fG7hJ0kL3nP5qS8tV1`)
    await shot(page, 'enrolment')
    await page.getByRole('button', { name: 'Get my files' }).click()
    await page.getByText('The files are yours').waitFor()
    await shot(page, 'enrolment-files')
    await page.goto('about:blank')
    await page.goto(`${base}/enrolment#Zk3v0m1yQ5rT8uW2xA6bC9dE4fG7hJ0kL3nP5qS8tV1`)
    await page.getByRole('button', { name: 'Get my files' }).click()
    await page.getByText('This link was used before').waitFor()
    await shot(page, 'enrolment-used')
  },
  async pages() {
    const page = await open()
    for (const name of [
      'approvals',
      'rules',
      'keys',
      'readers',
      'mail-users',
      'senders',
      'routes',
      'log',
      'status',
      'saved',
      'leakage',
    ]) {
      await page.goto(`${base}/${name}`)
      await page.locator('h1').first().waitFor()
      await shot(page, name, { settle: 700 })
    }
    await page.goto(`${base}/status`)
    for (const span of ['Day', 'Month']) {
      await page.getByText(span, { exact: true }).click()
      await page
        .getByText(span === 'Month' ? 'Days of UTC' : 'Times in', { exact: false })
        .first()
        .waitFor()
      await shot(page, `status-${span.toLowerCase()}`, { settle: 700 })
    }
    await page.getByRole('slider', { name: 'Lines stored' }).focus()
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await shot(page, 'status-step')
    await page.getByRole('button', { name: /rows of a table/ }).click()
    await shot(page, 'status-table')
    const dark = await open({ scheme: 'dark' })
    await dark.goto(`${base}/status`)
    await shot(dark, 'dark-status', { settle: 800 })
    await telephone()
  },
  async dialogs() {
    const page = await open()
    await page.goto(`${base}/approvals`)
    await page.getByRole('button', { name: 'Refuse' }).first().click()
    await shot(page, 'approval-refuse', { settle: 600 })
    await page.goto(`${base}/rules`)
    await page.getByRole('button', { name: /^Edit/ }).nth(2).click()
    await shot(page, 'rule-edit', { settle: 600 })
    await page.keyboard.press('Escape')
    await page.goto(`${base}/senders`)
    await page.getByRole('textbox', { name: /^Part of a name/ }).fill('press-4')
    await page.getByRole('button', { name: 'Access of press-4' }).click()
    const smtp = page.getByRole('group', { name: 'SMTP password' })
    await smtp.getByRole('button', { name: 'Make one' }).click()
    await page.getByText('Shown this once').waitFor()
    await shot(page, 'sender-access')
    await page.goto(`${base}/mail-users`)
    await page.getByRole('button', { name: 'Enrol a user' }).click()
    await page.getByLabel(/^Address/).fill('eve@acme.example')
    await page.getByRole('button', { name: /own key/ }).click()
    await shot(page, 'mail-user-enrol')
    await page.getByRole('button', { name: 'Enrol', exact: true }).click()
    await page.getByText('Shown this once').waitFor()
    await shot(page, 'mail-user-link')
    await page.goto(`${base}/log`)
    await page
      .getByRole('button', { name: /Open the sealed details/ })
      .first()
      .click()
    await shot(page, 'log-details')
  },
  async popovers() {
    const page = await open()
    await page.getByRole('button', { name: /^Time:/ }).click()
    await shot(page, 'time-picker', { settle: 500 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'How to write a query' }).click()
    await shot(page, 'syntax-help', { settle: 500 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /account/ }).click()
    await shot(page, 'account', { settle: 500 })
    await page.keyboard.press('Escape')
    await search(page, 'level:error AND sshd')
    await ended(page)
    await page.getByRole('button', { name: 'More about this search' }).click()
    await shot(page, 'search-more', { settle: 500 })
    await page.getByRole('button', { name: 'Make it a standing route' }).click()
    await shot(page, 'route-dialog', { settle: 600 })
    await page.goto(`${base}/readers`)
    await page.getByRole('button', { name: 'Issue a key' }).click()
    await shot(page, 'reader-issue', { settle: 600 })
    await page.goto(`${base}/keys`)
    await page.getByRole('button', { name: 'Lock the keys' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
    await page.getByLabel('Passphrase of the key store').waitFor()
    await shot(page, 'keys-locked', { settle: 900 })
    await page.getByLabel('Passphrase of the key store').fill('right')
    await page.getByRole('button', { name: 'Open the keys' }).click()
    await page.getByRole('button', { name: 'Rotate keys' }).waitFor()
  },
  async dark() {
    const page = await open({ scheme: 'dark' })
    await search(page, 'level:error AND sshd')
    await ended(page)
    await page.locator('[role=row][aria-rowindex="5"]').click()
    await shot(page, 'dark-search', { settle: 900 })
    for (const name of ['approvals', 'rules', 'log']) {
      await page.goto(`${base}/${name}`)
      await shot(page, `dark-${name}`, { settle: 800 })
    }
  },
  async narrow() {
    const page = await open({ width: 400, height: 800 })
    await search(page, 'level:error AND sshd')
    await ended(page)
    await shot(page, 'narrow-search', { settle: 900 })
    await page.locator('[role=row][aria-rowindex="3"]').click()
    await shot(page, 'narrow-record', { settle: 800 })
    for (const name of ['approvals', 'rules', 'keys', 'log']) {
      await page.goto(`${base}/${name}`)
      await shot(page, `narrow-${name}`, { settle: 800 })
    }
    const medium = await open({ width: 1024, height: 768 })
    await search(medium, 'level:error AND sshd')
    await ended(medium)
    await medium.locator('[role=row][aria-rowindex="5"]').click()
    await shot(medium, 'medium-search', { settle: 900 })
  },
}

for (const [name, view] of Object.entries(views)) {
  if (only && !only.split(',').includes(name)) continue
  try {
    await view()
  } catch (error) {
    faults.push(`${name}: ${String(error).split('\n').slice(0, 4).join(' ')}`)
  }
}
await browser.close()
await server.close()
const all = [...new Set(faults)]
all.forEach(fault => console.error(`FAULT ${fault}`))
process.exit(all.length > 0 ? 1 : 0)
