import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('../../../../../audit-console/web', import.meta.url))
const SCRIPT = `
  import { preview } from 'vite'
  const server = await preview({ preview: { port: 0, host: '127.0.0.1' }, logLevel: 'error' })
  console.log('http://127.0.0.1:' + server.httpServer.address().port)
  process.stdin.on('end', () => process.exit()).resume()
`

export interface Pages {
  url: string
  close: () => Promise<void>
}

/** The pages as they were built, under the console's policy, before a console of the imagination (web/dev/stub) that has a million rows at once. */
export async function builtPages(): Promise<Pages> {
  const process = spawn(globalThis.process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: WEB,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(process, 'exit')
  const [url] = (await Promise.race([
    once(createInterface(process.stdout), 'line'),
    ended.then(([status]) => Promise.reject(new Error(`the server of the pages ended with ${status}`))),
  ])) as [string]
  return {
    url,
    close: async () => {
      process.stdin.end()
      await ended
    },
  }
}
