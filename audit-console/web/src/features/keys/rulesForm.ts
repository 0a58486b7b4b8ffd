import type { KeywordProfile, KeywordRules, KeywordRulesChange } from '@/shared/api/types'

/** What a keeper typed; lists have commas between. */
export interface RulesForm {
  from: string
  aloneFrom: string
  ipPrefixes: string
  fields: string
  numeric: string
  wordPrefixes: string
  stems: string
  templates: boolean
  withdraw: boolean
}

const LISTS = ['ipPrefixes', 'fields', 'numeric', 'stems'] as const

/** The form before anything is typed: the rules as they are. */
export function formOf({ next, profile }: KeywordRules): RulesForm {
  return {
    from: next?.from ?? '',
    aloneFrom: next?.aloneFrom ?? '',
    ipPrefixes: joined(profile?.ipPrefixes),
    fields: joined(profile?.fields),
    numeric: joined(profile?.numeric),
    wordPrefixes: profile?.wordPrefixes ?? '',
    stems: joined(profile?.stems),
    templates: profile?.templates ?? true,
    withdraw: false,
  }
}

/** What is other than it is; nothing if all is so already. */
export function changeOf(form: RulesForm, rules: KeywordRules): KeywordRulesChange {
  if (form.withdraw) {
    return { withdraw: true }
  }
  const change: KeywordRulesChange = {}
  if (!rules.next) {
    change.rules = 2
  }
  const from = form.from.trim()
  if (from !== '' && from !== rules.next?.from) {
    change.from = from
  }
  const aloneFrom = form.aloneFrom.trim()
  if (aloneFrom !== (rules.next?.aloneFrom ?? '')) {
    change.aloneFrom = aloneFrom
  }
  const profile = rules.profile && profileOf(form, formOf(rules))
  if (profile && Object.keys(profile).length > 0) {
    change.profile = profile
  }
  return change
}

function profileOf(form: RulesForm, before: RulesForm): KeywordProfile {
  const profile: KeywordProfile = {}
  for (const list of LISTS) {
    if (joined(split(form[list])) !== before[list]) {
      profile[list] = split(form[list])
    }
  }
  if (form.wordPrefixes.trim() !== before.wordPrefixes) {
    profile.wordPrefixes = form.wordPrefixes.trim()
  }
  if (form.templates !== before.templates) {
    profile.templates = form.templates
  }
  return profile
}

const joined = (list: readonly string[] | undefined) => (list ?? []).join(', ')

const split = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
