import type { Row, Signer } from '@/shared/api/types'
import { visible } from './visible'

/** Who may have signed a mail, the surest first. */
export const SIGNERS: readonly Signer[] = ['sender', 'another', 'tenant', 'stranger', 'nobody']

const NAMES: Record<Signer, string> = {
  sender: 'whoever is in From',
  another: 'somebody else of the tenant',
  tenant: 'the tenant',
  stranger: 'a stranger’s key',
  nobody: 'nobody',
}

const HINTS: Record<Signer, string> = {
  sender: 'its certificate names the address in From',
  another: 'its certificate names another address than From does',
  tenant: 'an edge sealed it and did not know whose it is',
  stranger: 'the key is not of the tenant: what it says, anybody can say',
  nobody: 'anybody may have written it',
}

export const signerName = (signer: Signer): string => NAMES[signer]
export const signerHint = (signer: Signer): string => HINTS[signer]
export const signersList = (signers: readonly Signer[]): string => signers.map(signerName).join(' or ')

/** Whether what stands in From is proven. */
export const isProven = (signer: Signer): boolean => signer === 'sender'

/** In words; undefined for what is no mail, or cannot be read. */
export function signedWords({ signed, signedBy }: Pick<Row, 'signed' | 'signedBy'>): string | undefined {
  switch (signed) {
    case undefined:
      return undefined
    case 'sender':
      return `Signed by ${visible(signedBy ?? '')}`
    case 'another':
      return `Signed by ${visible(signedBy ?? '')}, who is not in From`
    default:
      return `Signed by ${signerName(signed)}`
  }
}
