import { expect, test } from '../support/test.ts'
import { hostile, MAILBOX } from '../support/site.ts'

// What is hostile here sets the title to "ran", or asks port 9 of this machine for something: neither may come about. The watch sees requests and dialogs.

test('a hostile log line is text and nothing else', async ({ as }) => {
  const ada = await as('ada')
  await ada.search('hostile9')
  await expect(ada.rows).toHaveCount(1)
  await expect(ada.rows.first()).toContainText(
    "<script>document.title='ran'</script><img src=http://127.0.0.1:9/line.png",
  )
  await ada.open(0)
  const line = hostile('line.log').trim()
  await expect(ada.panel.getByLabel('Text of the record')).toHaveText(line)
  await ada.panel.getByRole('tab', { name: 'Surrounding' }).click()
  await expect(ada.panel.getByRole('list', { name: 'Surrounding records' })).toContainText('<script>')
  await ada.panel.getByRole('tab', { name: 'Raw and JSON' }).click()
  await expect(ada.panel.getByLabel('JSON', { exact: true })).toContainText('<script>')
  await expect(ada.page.locator('main script, main img, main a[href^=javascript]')).toHaveCount(0)
  await expect(ada.page).toHaveTitle(/Veilgate/)
})

test('a hostile mail is shown without anything of it that runs, fetches or asks for input', async ({ as }) => {
  const ada = await as('ada')
  await ada.choose(MAILBOX)
  await ada.search('urgent')
  const row = ada.rows.filter({ hasText: 'invoice' })
  await expect(row).toContainText(`<img src=x onerror="document.title='ran'"> invoice`)
  await row.click()
  await expect(ada.panel.getByLabel('Text of the mail')).toContainText(
    "Plainly: pay <script>document.title='ran'</script>",
  )

  await ada.panel.getByText('As designed').click()
  await expect(ada.frame).toHaveAttribute('sandbox', '')
  const mail = ada.frame.contentFrame()
  await expect(mail.getByText('Dear Alice, pay at once.')).toBeVisible()
  await expect(mail.getByText('Open the invoice')).toBeVisible()
  await expect(
    mail.locator('script, img, svg, iframe, object, embed, video, form, input, button, link, base, style, [style]'),
  ).toHaveCount(0)
  await expect(mail.locator('[href], [src], [background]')).toHaveCount(0)
  await expect(ada.panel.getByText('Taken out of this mail')).toContainText('scripts')
  await mail.getByText('Open the invoice').click()
  await mail.getByText('Your bank').click()
  await expect(ada.page).toHaveTitle(/Veilgate/)
  expect(ada.context.pages()).toHaveLength(1)

  const attachment = ada.panel.getByRole('list', { name: 'Attachments' }).getByRole('link')
  const [download] = await Promise.all([ada.page.waitForEvent('download'), attachment.click()])
  expect(download.suggestedFilename()).not.toMatch(/[<>/\\]/)
  const answer = await ada.context.request.get((await attachment.getAttribute('href')) ?? '')
  expect(answer.headers()).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment/),
    'x-content-type-options': 'nosniff',
  })
})

test('the watch sees scripts, requests and dialogs where the policy does not hold them back', async ({
  visitor,
  watch,
}) => {
  const { page } = await visitor()
  await page.goto('/')
  await page.evaluate(() => {
    const image = new Image()
    image.src = 'http://127.0.0.1:9/seen.png'
    const script = document.createElement('script')
    script.textContent = 'document.title = "ran"'
    document.body.append(image, script)
    setTimeout(() => {
      alert('seen')
      throw new Error('seen')
    })
  })
  await expect.poll(() => watch.faults.join('\n')).toMatch(/error: seen/)
  await expect
    .poll(() => watch.faults)
    .toEqual(
      expect.arrayContaining([
        'policy: img-src http://127.0.0.1:9/seen.png',
        'policy: script-src-elem inline',
        'dialog: seen',
        'error: seen',
      ]),
    )
  await page.goto('about:blank')
  await page.evaluate(() => fetch('http://127.0.0.1:9/seen').catch(() => undefined))
  await expect.poll(() => watch.faults).toContain('request: http://127.0.0.1:9/seen')
  await expect(page).not.toHaveTitle('ran')
  watch.faults.length = 0
})
