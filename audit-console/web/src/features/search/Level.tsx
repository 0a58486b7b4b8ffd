import css from './Level.module.css'

const KINDS: Record<string, string> = {
  emergency: 'bad',
  alert: 'bad',
  fatal: 'bad',
  critical: 'bad',
  error: 'bad',
  warn: 'warn',
  notice: 'info',
  info: 'info',
}

/** In words first; the colour only repeats them. */
export function Level({ level }: { level: string | undefined }) {
  return level ? <span className={`${css.level} ${css[KINDS[level] ?? 'quiet']}`}>{level}</span> : null
}
