import type { ReactNode } from 'react'
import css from './DialogFooter.module.css'

/** The buttons of a dialog. They stay in sight however long it is and however small the screen. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={css.footer}>{children}</div>
}
