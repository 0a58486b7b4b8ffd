import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../src')

const sources = (readdirSync(SRC, { recursive: true }) as string[])
  .filter(file => /\.tsx?$/.test(file) && !/\.test\./.test(file))
  .map(file => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))

/** What a file imports, as paths from src. */
function imports(file: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(found => found[1] as string)
  return names
    .filter(name => name.startsWith('.') || name.startsWith('@/'))
    .map(name => (name.startsWith('@/') ? name.slice(2) : relative(SRC, join(SRC, file, '..', name))))
}

const area = (path: string): string =>
  path.startsWith('features/') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] as string)

describe('the arrows between the parts', () => {
  it('finds something to look at', () => {
    expect(sources.length).toBeGreaterThan(60)
    expect(sources.flatMap(({ file, text }) => imports(file, text)).length).toBeGreaterThan(200)
  })

  it('shared knows neither pages nor frame; pages know neither the frame nor each other', () => {
    const wrong = sources.flatMap(({ file, text }) => {
      const from = area(file)
      return imports(file, text)
        .filter(to =>
          from === 'shared'
            ? area(to) !== 'shared'
            : from.startsWith('features/') && area(to) !== from && area(to) !== 'shared',
        )
        .map(to => `${file} -> ${to}`)
    })
    expect(wrong).toEqual([])
  })

  it('nothing that ships reaches for the stub, a storage of the browser but those of drafts and of a new user’s tab, or markup', () => {
    const found = sources.filter(
      ({ file, text }) =>
        /dev\/stub|localStorage|dangerouslySetInnerHTML|innerHTML|\beval\(|new Function/.test(text) ||
        (/sessionStorage/.test(text) && !['shared/auth/drafts.ts', 'features/enrolment/visit.ts'].includes(file)),
    )
    expect(found.map(({ file }) => file)).toEqual([])
  })
})
