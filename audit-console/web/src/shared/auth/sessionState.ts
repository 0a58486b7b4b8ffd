import { forgetDrafts, freezeDrafts, thawDrafts } from './drafts'
import { tellTabs } from './tabs'

type Listener = () => void

/**
 * What the whole page knows of its session: the CSRF token, in memory only, whose it is, and whether it ended under the page. The cookie itself
 * is out of reach of scripts.
 */
class SessionState {
  private token = ''
  private user: string | undefined
  private over = false
  private readonly listeners = new Set<Listener>()

  csrf = (): string => this.token

  isOver = (): boolean => this.over

  /** Whether the page shows what somebody else sees. */
  isOthers = (user: string): boolean => this.user !== undefined && this.user !== user

  begin(csrf: string, user?: string): void {
    if (user !== undefined) {
      thawDrafts(user, this.user)
      this.user = user
    }
    this.token = csrf
    this.set(false)
  }

  /** The page takes away what it shows; what was typed is kept for the next login. */
  end(): void {
    // Before the first login there is nothing that could end.
    if (this.token !== '' && !this.over) {
      freezeDrafts(this.user)
      this.set(true)
      tellTabs('over')
    }
  }

  /** As before anybody was there. */
  forget(): void {
    forgetDrafts()
    this.token = ''
    this.user = undefined
    this.set(false)
  }

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private set(over: boolean): void {
    if (this.over !== over) {
      this.over = over
      this.listeners.forEach(listener => listener())
    }
  }
}

export const sessionState = new SessionState()
