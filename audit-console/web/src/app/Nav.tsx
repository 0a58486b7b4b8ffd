import { Link, useLocation } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { useHasRole, useSession } from '@/shared/auth/session'
import { sectionsFor } from './sections'
import css from './Nav.module.css'

/** Requests that wait for this person: asked every minute, quietly; errors are the page's to show. */
function usePending(): number {
  const approver = useHasRole('approver')
  const pending = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: () => take(api.GET('/api/approvals', { params: { query: { state: 'pending' } } })),
    enabled: approver,
    refetchInterval: 60_000,
  })
  return pending.data?.filter(approval => !approval.mine).length ?? 0
}

const isAt = (to: string, path: string): boolean => path === to || (to === '/' && path.startsWith('/searches/'))

export function Nav({ go }: { go?: () => void }) {
  const session = useSession()
  const pending = usePending()
  const { pathname } = useLocation()
  return (
    <nav aria-label="Pages" className={css.nav}>
      {sectionsFor(session.roles).map(section => (
        <div key={section.label ?? ''} className={css.section}>
          {section.label && <div className={css.label}>{section.label}</div>}
          {section.items.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              aria-current={isAt(to, pathname) ? 'page' : undefined}
              className={css.link}
              onClick={go}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={css.text}>{label}</span>
              {to === '/approvals' && pending > 0 && (
                <span className={css.badge} aria-label={`${pending} waiting`}>
                  {pending}
                </span>
              )}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  )
}
