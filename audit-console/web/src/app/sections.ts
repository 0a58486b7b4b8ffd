import {
  IconActivity,
  IconBookmark,
  IconEye,
  IconGavel,
  IconKey,
  IconListDetails,
  IconMail,
  IconRoute,
  IconSearch,
  IconServer2,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react'
import type { Role } from '@/shared/api/types'

export interface Item {
  to: string
  label: string
  icon: typeof IconSearch
  /** Any of; none for everybody. It only tidies the list: the server decides what is allowed. */
  roles?: Role[]
}

export interface Section {
  label?: string
  items: Item[]
}

const SECTIONS: Section[] = [
  {
    items: [
      { to: '/', label: 'Search', icon: IconSearch, roles: ['auditor'] },
      { to: '/saved', label: 'Saved searches', icon: IconBookmark, roles: ['auditor'] },
      { to: '/approvals', label: 'Approvals', icon: IconUserCheck, roles: ['auditor', 'approver', 'operator'] },
    ],
  },
  {
    label: 'Administration',
    items: [
      { to: '/rules', label: 'Rules', icon: IconGavel, roles: ['keeper', 'approver', 'auditor'] },
      { to: '/keys', label: 'Keys', icon: IconKey, roles: ['keeper'] },
      { to: '/readers', label: 'Readers', icon: IconUsers, roles: ['keeper'] },
      { to: '/mail-users', label: 'Mail users', icon: IconMail, roles: ['keeper'] },
      { to: '/senders', label: 'Senders', icon: IconServer2, roles: ['keeper', 'operator'] },
      { to: '/routes', label: 'Routes', icon: IconRoute, roles: ['operator', 'auditor'] },
      { to: '/log', label: 'Log', icon: IconListDetails, roles: ['keeper', 'approver', 'auditor'] },
      { to: '/status', label: 'Status', icon: IconActivity, roles: ['operator', 'keeper'] },
    ],
  },
  { label: 'Help', items: [{ to: '/leakage', label: 'What the gateway learns', icon: IconEye }] },
]

export function sectionsFor(roles: readonly Role[]): Section[] {
  const mine = (item: Item) => !item.roles || item.roles.some(role => roles.includes(role))
  return SECTIONS.map(section => ({ ...section, items: section.items.filter(mine) })).filter(
    section => section.items.length > 0,
  )
}

/** Where somebody begins who may not search: requests are for approvers first, and for others now and then. */
export function firstPage(roles: readonly Role[]): string {
  const items = sectionsFor(roles).flatMap(section => section.items)
  return items.find(({ to }) => to !== '/approvals' || roles.includes('approver'))?.to ?? '/leakage'
}
