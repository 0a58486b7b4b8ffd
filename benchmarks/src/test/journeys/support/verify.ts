import { execFileSync } from 'node:child_process'
import { AUTHORITY, VEILGATE } from './site.ts'

/** What a verifier says who knows the authority and nothing else; its status and its words. */
export function verify(file: string, authority = AUTHORITY): { status: number; said: string } {
  try {
    const said = execFileSync('sh', [VEILGATE, 'verify', '--authority', authority, '--export', file], { stdio: 'pipe' })
    return { status: 0, said: said.toString() }
  } catch (failed) {
    const { status, stdout, stderr } = failed as { status: number; stdout: Buffer; stderr: Buffer }
    return { status, said: `${stdout.toString()}${stderr.toString()}` }
  }
}
