import type { Rule } from '@/shared/api/types'

export interface Problems {
  name?: string
  approvalHours?: string
}

export function problemsOf(rule: Rule, others: readonly string[]): Problems {
  const name = rule.name.trim()
  const hours = rule.approvalHours
  return {
    name: name === '' ? 'A rule needs a name' : others.includes(name) ? 'Another rule has this name' : undefined,
    approvalHours: hours !== undefined && (hours < 1 || hours > 720) ? '1 to 720' : undefined,
  }
}

/** Without what says nothing: an empty list means “all”, as an absent one does. */
export function cleaned(rule: Rule): Rule {
  const kept = Object.entries(rule).filter(([, value]) => {
    return !(value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0))
  })
  const { approvalHours, ...rest } = { ...(Object.fromEntries(kept) as Rule), name: rule.name.trim() }
  return rest.effect === 'approve' && approvalHours !== undefined ? { ...rest, approvalHours } : rest
}
