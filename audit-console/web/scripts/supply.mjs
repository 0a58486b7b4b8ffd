// What the pages are made of, from package-lock.json: the build fails on a licence that is not listed here, and dist/ gets the list of
// components as CycloneDX. npm's own list leaves out React, which others name as a peer.
import { readFileSync, writeFileSync } from 'node:fs'

// None asks for more than that its text is kept, which dist/licenses.md does.
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'Unlicense'])
const read = path => readFileSync(new URL(path, import.meta.url), 'utf8')

// "(MIT OR CC0-1.0)" is allowed by one of the two; what names AND or WITH is looked at by somebody.
const allowed = licence =>
  licence !== undefined &&
  licence
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some(one => ALLOWED.has(one))

const { packages } = JSON.parse(read('../package-lock.json'))
const shipped = Object.entries(packages)
  .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional)
  .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), ...entry }))
  .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))

const problems = shipped
  .filter(({ license }) => !allowed(license))
  .map(({ name, version, license }) => `${name} ${version} is under ${license ?? 'no licence that it names'}`)
const names = new Set(shipped.map(({ name, version }) => `${name} - ${version}`))
for (const [, bundled, licence] of read('../dist/licenses.md').matchAll(/^## (\S+ - \S+) \((.*)\)$/gm)) {
  if (!names.has(bundled)) problems.push(`${bundled} is in the pages and no dependency of theirs`)
  else if (!allowed(licence)) problems.push(`${bundled} is under ${licence}`)
}
if (problems.length > 0) {
  console.error(problems.map(problem => `supply: ${problem}`).join('\n'))
  process.exit(1)
}

const components = shipped.map(({ name, version, license, integrity }) => ({
  type: 'library',
  'bom-ref': `${name}@${version}`,
  name,
  version,
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  licenses: license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }],
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
}))
const { name, version } = packages['']
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
  components,
}
writeFileSync(new URL('../dist/sbom-pages.cdx.json', import.meta.url), `${JSON.stringify(bom, null, 2)}\n`)
