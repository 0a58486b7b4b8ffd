import { useMemo } from 'react'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { ApiError } from '@/shared/api/problem'
import { restoreDrafts } from '@/shared/auth/drafts'
import { NoticeProvider } from '@/shared/ui/notice'
import { pages } from './pages'
import { theme } from './theme'

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A browser says that it is offline while a console on this machine, or behind a tunnel, can be reached: calls
      // would wait without a word until it says otherwise. Who cannot be reached is told by the call itself.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // Only what may pass by itself is tried again: no answer at all.
        retry: (failures, error) => error instanceof ApiError && error.status === 0 && failures < 2,
      },
    },
  })
}

export function App() {
  const client = useMemo(() => newQueryClient(), [])
  const router = useMemo(() => {
    const path = restoreDrafts()
    if (path && path !== window.location.pathname) {
      window.history.replaceState(null, '', path + window.location.search) // that may say that the login failed
    }
    return createBrowserRouter(pages)
  }, [])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <QueryClientProvider client={client}>
        <NoticeProvider>
          <RouterProvider router={router} />
        </NoticeProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
