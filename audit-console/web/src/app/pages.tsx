import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { Loading } from '@/shared/ui/States'
import { PageFailure } from './PageFailure'
import { NotFound } from './NotFound'
import { Root } from './Root'

const lazy = (load: () => Promise<{ default: ComponentType }>) => async () => ({ Component: (await load()).default })

/** Each page is a file of its own: the first load has the frame and the page that was asked for. */
export const pages: RouteObject[] = [
  {
    // For whoever has the link, who has no login here.
    path: '/enrolment',
    errorElement: <PageFailure />,
    hydrateFallbackElement: <Loading />,
    lazy: lazy(() => import('@/features/enrolment/EnrolmentPage')),
  },
  {
    path: '/',
    element: <Root />,
    errorElement: <PageFailure />,
    hydrateFallbackElement: <Loading />,
    children: [
      {
        // One page for both, so that what was typed stays when a search starts.
        lazy: lazy(() => import('@/features/search/SearchPage')),
        children: [
          { index: true, element: null },
          { path: 'searches/:id', element: null },
        ],
      },
      { path: 'saved', lazy: lazy(() => import('@/features/saved/SavedPage')) },
      { path: 'approvals', lazy: lazy(() => import('@/features/approvals/ApprovalsPage')) },
      { path: 'rules', lazy: lazy(() => import('@/features/rules/RulesPage')) },
      { path: 'keys', lazy: lazy(() => import('@/features/keys/KeysPage')) },
      { path: 'readers', lazy: lazy(() => import('@/features/readers/ReadersPage')) },
      { path: 'mail-users', lazy: lazy(() => import('@/features/mailusers/MailUsersPage')) },
      { path: 'senders', lazy: lazy(() => import('@/features/senders/SendersPage')) },
      { path: 'routes', lazy: lazy(() => import('@/features/routes/RoutesPage')) },
      { path: 'log', lazy: lazy(() => import('@/features/log/LogPage')) },
      { path: 'status', lazy: lazy(() => import('@/features/status/StatusPage')) },
      { path: 'leakage', lazy: lazy(() => import('@/features/leakage/LeakagePage')) },
      { path: '*', element: <NotFound /> },
    ],
  },
]
