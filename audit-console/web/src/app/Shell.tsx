import { Suspense, useEffect, useRef, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigation } from 'react-router'
import { Drawer } from '@mantine/core'
import { useSession } from '@/shared/auth/session'
import { Loading } from '@/shared/ui/States'
import { Header } from './Header'
import { firstPage } from './sections'
import { Nav } from './Nav'
import css from './Shell.module.css'

/** Header, navigation, page. */
export function Shell() {
  const session = useSession()
  const location = useLocation()
  const navigation = useNavigation()
  const [open, setOpen] = useState(false)
  const main = useFocusOnPage(location.pathname)
  if (location.pathname === '/' && !session.roles.includes('auditor')) {
    return <Navigate to={firstPage(session.roles)} replace />
  }
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        Skip to the page
      </a>
      <Header openMenu={() => setOpen(true)} />
      <aside className={css.side}>
        <Nav />
      </aside>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        size={260}
        title="Veilgate"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Nav go={() => setOpen(false)} />
      </Drawer>
      {/* Pages of text have nothing else by which the keyboard could scroll them. */}
      <main ref={main} id="main" className={css.main} tabIndex={0} aria-busy={navigation.state === 'loading'}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

/** Another page takes the focus, so that a screen reader begins there; the search stays one page whatever it shows. */
function useFocusOnPage(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const page = pathname.startsWith('/searches/') ? '/' : pathname
  const before = useRef(page)
  useEffect(() => {
    if (before.current !== page) {
      before.current = page
      main.current?.focus()
    }
  }, [page])
  return main
}
