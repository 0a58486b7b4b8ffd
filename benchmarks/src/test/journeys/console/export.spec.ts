import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '../support/test.ts'
import { AUTHORITY } from '../support/site.ts'
import { verify } from '../support/verify.ts'

test('what was found goes out as evidence that others can verify', async ({ as }, info) => {
  const ada = await as('ada')
  const { rows } = await ada.counts(await ada.search('overheated AND press-2'))
  await ada.page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('menuitem', { name: /JSON Lines/ }).click(),
  ])
  const file = info.outputPath('export.zip')
  await download.saveAs(file)
  const good = verify(file)
  expect(good.said).toMatch(new RegExp(`\\b${rows} rows\\b`))
  expect(good.status, good.said).toBe(0)

  const altered = info.outputPath('altered.zip')
  copyFileSync(file, altered)
  const bytes = readFileSync(altered)
  const place = Math.floor(bytes.length / 3)
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
  writeFileSync(altered, bytes)
  expect(verify(altered).status).not.toBe(0)
  const other = AUTHORITY.replace(/.$/, last => (last === '0' ? '1' : '0'))
  expect(verify(file, other).status).not.toBe(0)
})
