// The first load: what index.html names and everything that it imports at once, with the page of the search and its chart, as gzip sends it.
import { readFileSync, existsSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'

const LIMIT = 400_000
const dist = new URL('../dist', import.meta.url).pathname
if (!existsSync(join(dist, 'index.html'))) {
  console.error('size: there is no dist/index.html; run npm run build first')
  process.exit(1)
}
const seen = new Map()
const size = file => gzipSync(readFileSync(file), { level: 6 }).length

function add(path) {
  const file = join(dist, path)
  if (seen.has(file)) return
  if (!existsSync(file)) {
    console.error(`size: ${path} is named but is not there`)
    process.exit(1)
  }
  seen.set(file, size(file))
  if (!file.endsWith('.js')) return
  const text = readFileSync(file, 'utf8')
  const dir = path.slice(0, path.lastIndexOf('/') + 1)
  for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) add(dir + name)
}

const html = readFileSync(join(dist, 'index.html'), 'utf8')
seen.set(join(dist, 'index.html'), size(join(dist, 'index.html')))
for (const [, path] of html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css|svg))"/g)) add(path)
for (const name of readdirSync(join(dist, 'assets'))) {
  if (/^(SearchPage|HistogramChart)-.*\.(js|css)$/.test(name)) add(`assets/${name}`)
}
if (seen.size < 5) {
  console.error('size: found too few files to be the whole first load')
  process.exit(1)
}
let total = 0
for (const [file, bytes] of [...seen].sort((a, b) => b[1] - a[1])) {
  total += bytes
  console.log(`${String(bytes).padStart(8)}  ${file.slice(dist.length + 1)}`)
}
console.log(`${String(total).padStart(8)}  first load, gzip; limit ${LIMIT}`)
if (total > LIMIT) {
  console.error(`size: the first load is ${total - LIMIT} bytes too large`)
  process.exit(1)
}
