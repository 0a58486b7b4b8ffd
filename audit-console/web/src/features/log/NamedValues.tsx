import type { NamedValue } from '@/shared/api/types'
import css from './LogPage.module.css'

export function NamedValues({ values }: { values: NamedValue[] }) {
  return values.map(({ name, value }) => (
    <span key={name}>
      <span className={css.name}>{name}</span> <code>{value}</code>
    </span>
  ))
}
