import type { Rule } from '@/shared/api/types'
import { plural } from '@/shared/ui/format'

const list = (items: readonly string[], joint: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`

const ROLES: Record<string, string> = {
  auditor: 'auditors',
  approver: 'approvers',
  keeper: 'keepers',
  operator: 'operators',
}

function who({ roles = [], attributes, effect }: Rule): string {
  const named = roles.map(role => ROLES[role] ?? role)
  const people = named.length > 0 ? capital(list(named, 'and')) : effect === 'refuse' ? 'Nobody' : 'Everybody'
  return attributes ? `${people} whose attributes satisfy ${attributes}` : people
}

function deed({ roles = [], purposes = [], effect }: Rule): string {
  const joint = effect === 'refuse' ? 'or' : 'and'
  const verb = effect === 'refuse' && roles.length > 0 ? 'may not' : 'may'
  const one = purposes[0] === 'route' ? 'install standing routes' : 'search'
  return `${verb} ${purposes.length === 1 ? one : `search ${joint} install standing routes`}`
}

function what({ fields = [], values = [] }: Rule): string {
  const words = fields.map(field => (field === 'word' ? 'text without a field' : field))
  if (fields.length === 0 && values.length === 0) {
    return 'for anything'
  }
  const value =
    values.length > 0
      ? list(
          values.map(pattern => `“${pattern}”`),
          'or',
        )
      : 'anything'
  return fields.length > 0 ? `for ${value} in ${list(words, 'or')}` : `for ${value}`
}

const where = ({ scopes = [] }: Rule): string => (scopes.length === 0 ? 'in all scopes' : `in ${list(scopes, 'and')}`)

function limits({ epochsBack, perHour }: Rule): string[] {
  const parts: string[] = []
  if (epochsBack !== undefined) {
    parts.push(epochsBack === 0 ? 'in the present epoch only' : `at most ${plural(epochsBack, 'epoch')} back`)
  }
  if (perHour !== undefined) {
    parts.push(`at most ${plural(perHour, 'time')} an hour each`)
  }
  return parts
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a rule does, in plain words: what it says, and no more. */
export function summary(rule: Rule): string {
  const parts = [`${who(rule)} ${deed(rule)} ${what(rule)} ${where(rule)}`, ...limits(rule)]
  const sentences = [`${parts.join(', ')}.`]
  if (rule.effect === 'approve') {
    const holds = rule.approvalHours ? `, which holds for ${plural(rule.approvalHours, 'hour')}` : ''
    sentences.push(`A second person must approve it${holds}.`)
  }
  if (rule.hideKeywords) {
    sentences.push('The log keeps the keywords sealed.')
  }
  return sentences.join(' ')
}

/**
 * Why a rule keeps nobody from the records that it speaks of: they are found by their words, too, and a rule restricts
 * the words of the values that it lists alone. Empty where it does not restrict, or restricts words itself.
 */
export function goneRound({ effect, fields = [], values = [] }: Rule): string {
  const restrictsFields = effect !== 'allow' && fields.length > 0 && !fields.some(field => /^(word|\*+)$/i.test(field))
  if (!restrictsFields || (values.length > 0 && !values.some(value => value.includes('*')))) {
    return ''
  }
  const which = values.length > 0 ? 'Values with * are' : 'What these fields hold is'
  return `${which} found by words all the same: this restrains only who names ${fields.length > 1 ? 'a field' : 'the field'}. List the values in full, or add the field word.`
}

/** Rules that an earlier one always decides before them: nobody ever reaches them. */
export function unreachable(rules: readonly Rule[]): Set<number> {
  const all = (rule: Rule) =>
    [rule.roles, rule.scopes, rule.fields, rule.values, rule.purposes].every(part => !part || part.length === 0) &&
    !rule.attributes &&
    rule.epochsBack === undefined
  const first = rules.findIndex(all)
  return new Set(first < 0 ? [] : rules.map((_, i) => i).filter(i => i > first))
}
