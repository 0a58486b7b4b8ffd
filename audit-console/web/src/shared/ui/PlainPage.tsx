import type { ReactNode } from 'react'
import css from './PlainPage.module.css'

/** A page without the frame, for who is not logged in. */
export function PlainPage({ centred = false, children }: { centred?: boolean; children: ReactNode }) {
  return (
    <main className={css.page}>
      <div className={centred ? `${css.box} ${css.centred}` : css.box}>{children}</div>
    </main>
  )
}
