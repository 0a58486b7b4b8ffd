import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { Notification } from '@mantine/core'
import { Foreign } from './Foreign'
import css from './notice.module.css'

type Notify = (text: string) => void

const NoticeContext = createContext<Notify>(() => undefined)

/** Says that something was done, for six seconds. Errors are not said here: they stay where they happened. */
export function NoticeProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState<string>()
  const timer = useRef(0)
  const notify = useCallback((said: string) => {
    window.clearTimeout(timer.current)
    setText(said)
    timer.current = window.setTimeout(() => setText(undefined), 6000)
  }, [])
  return (
    <NoticeContext value={notify}>
      {children}
      <div className={css.place} role="status" aria-live="polite">
        {text && (
          <Notification
            color="teal"
            onClose={() => setText(undefined)}
            closeButtonProps={{ 'aria-label': 'Close' }}
            withBorder
          >
            <Foreign>{text}</Foreign>
          </Notification>
        )}
      </div>
    </NoticeContext>
  )
}

export const useNotify = (): Notify => useContext(NoticeContext)
