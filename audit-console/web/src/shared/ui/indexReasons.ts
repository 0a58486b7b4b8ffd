import type { IndexReason } from '@/shared/api/types'

/** Why an index, or a part of it, was not checked, is excused or is a finding. */
export const indexReasons: Record<IndexReason, string> = {
  'not-signed':
    'No registered sender or mail key of the tenant answers for it: anybody on the way may have changed it.',
  'no-rules': 'Its envelope names no rules of keywords, as those of earlier versions.',
  'keywords-of-caller': 'Its keywords were given by who sealed it, by no rules.',
  'unknown-rules': 'It names rules or a profile that the tenant never had.',
  'later-rules': 'Its keywords are of rules that this console does not know.',
  'unknown-format': 'Its sender read it in a format that this console does not know.',
  attachments: 'Keywords that only attachments have were not asked for: its envelope does not say if they were read.',
  'attachments-cut-short':
    'Keywords that only attachments have were not asked for: its sender says that there was no time to read them.',
  'too-costly': 'It takes too long to be read again; only its header was asked for.',
  'other-scheme': 'Its index is of a scheme that cannot be looked into.',
  'unknown-key': 'A part of its index is of a key that is not among the tenant’s: no search asks for it.',
  'too-many-findings': 'There were as many findings as may be; a keeper can have the rest looked into.',
  'malformed-block': 'A part of its index is not made as it has to be.',
  failed: 'The check could not be done; the console’s log says why.',
}
