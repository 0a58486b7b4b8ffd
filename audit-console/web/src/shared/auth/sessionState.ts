type Listener = () => void

/**
 * What the whole page knows of its session: the CSRF token, in memory only, and whether the session ended under it. The cookie itself
 * is out of reach of scripts.
 */
class SessionState {
  private token = ''
  private over = false
  private readonly listeners = new Set<Listener>()

  csrf = (): string => this.token

  isOver = (): boolean => this.over

  begin(csrf: string): void {
    this.token = csrf
    this.set(false)
  }

  end(): void {
    // Before the first login there is nothing that could end.
    if (this.token !== '') {
      this.set(true)
    }
  }

  forget(): void {
    this.token = ''
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
