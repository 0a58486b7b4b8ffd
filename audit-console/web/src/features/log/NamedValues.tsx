import type { NamedValue } from '@/shared/api/types'
import { Foreign } from '@/shared/ui/Foreign'
import css from './LogPage.module.css'

export function NamedValues({ values }: { values: NamedValue[] }) {
  return values.map(({ name, value }) => (
    <span key={name}>
      <span className={css.name}>
        <Foreign>{name}</Foreign>
      </span>{' '}
      <code>
        <Foreign>{value}</Foreign>
      </code>
    </span>
  ))
}
