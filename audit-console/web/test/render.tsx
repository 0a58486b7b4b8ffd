import type { ReactElement } from 'react'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import type { Role, Session } from '@/shared/api/types'
import { SessionProvider } from '@/shared/auth/session'
import { SessionOver } from '@/shared/auth/SessionOver'
import { NoticeProvider } from '@/shared/ui/notice'

export const session = (roles: Role[]): Session => ({
  user: 'ada',
  name: 'Ada Byron',
  roles,
  attributes: ['role:auditor'],
  tenant: 'acme',
  ends: { at: '2026-11-22T13:00:00Z', seconds: 1800, atMost: 43_200 },
  csrf: 'the-token',
  keysLocked: false,
  logoutUrl: '/logout',
})

interface Options {
  roles?: Role[]
  path?: string
  state?: unknown
  /** Whether it is the demonstration. */
  demo?: boolean
}

/** A page as it stands in the console, without the frame. */
export function show(
  page: ReactElement,
  { roles = ['auditor', 'approver', 'keeper', 'operator'], path = '/', state, demo }: Options = {},
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: [{ pathname: path, state }] })
  const view = render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false} withStaticClasses={false}>
      <QueryClientProvider client={client}>
        <NoticeProvider>
          <SessionProvider session={{ ...session(roles), demo }}>
            <RouterProvider router={router} />
            <SessionOver go={() => undefined} />
          </SessionProvider>
        </NoticeProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, router, client, user: userEvent.setup({ delay: null }) }
}
