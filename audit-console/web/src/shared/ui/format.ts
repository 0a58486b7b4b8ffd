const numbers = new Intl.NumberFormat('en-GB')

export const count = (n: number): string => numbers.format(Math.round(n))

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

const pad = (n: number, width = 2): string => String(n).padStart(width, '0')

export const day = (d: Date): string => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`

export const minute = (d: Date): string => `${day(d)} ${pad(d.getHours())}:${pad(d.getMinutes())}`

/** Local time, sortable, to the millisecond only where there are any. */
export function stamp(iso: string | undefined): string {
  if (!iso) {
    return '–'
  }
  const d = new Date(iso)
  if (Number.isNaN(d.getTime())) {
    return iso
  }
  const ms = d.getMilliseconds()
  return `${minute(d)}:${pad(d.getSeconds())}${ms ? `.${pad(ms, 3)}` : ''}`
}

/** Of all times that are shown, by its name: its distance from UTC is not the same all year. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** To the minute: for times that people set or that nothing hangs on. */
export const toMinute = (iso: string | undefined): string => (iso ? minute(new Date(iso)) : '–')

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let at = 0
  while (n >= 1000 && at < units.length - 1) {
    n /= 1000
    at++
  }
  return `${n >= 100 || at === 0 ? Math.round(n) : n.toFixed(1)} ${units[at]}`
}

export function duration(ms: number): string {
  if (ms < 1000) {
    return `${Math.round(ms)} ms`
  }
  const s = ms / 1000
  if (s < 60) {
    return `${s.toFixed(s < 10 ? 1 : 0)} s`
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)} min ${pad(Math.floor(s % 60))} s`
  }
  if (s < 86400) {
    return `${Math.floor(s / 3600)} h ${pad(Math.floor((s % 3600) / 60))} min`
  }
  return plural(Math.floor(s / 86400), 'day')
}

/** "5 min ago", "in 3 h": for what need not be exact; the exact time goes into a title. */
export function relative(iso: string | undefined, now = Date.now()): string {
  if (!iso) {
    return 'never'
  }
  const delta = new Date(iso).getTime() - now
  if (Math.abs(delta) < 45_000) {
    return 'just now'
  }
  const text = coarse(Math.abs(delta))
  return delta < 0 ? `${text} ago` : `in ${text}`
}

function coarse(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) {
    return `${minutes} min`
  }
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : plural(Math.round(hours / 24), 'day')
}
