import { visible } from './visible'
import css from './MiddleCut.module.css'

const END = 14

/** A path in one line: where there is no room its middle is cut, since its end tells it from others. Its title, and what is copied, is the whole. */
export function MiddleCut({ text }: { text: string }) {
  const shown = visible(text)
  const letters = [...shown]
  if (letters.length <= END) {
    return (
      <span className={css.whole} title={shown}>
        {shown}
      </span>
    )
  }
  return (
    <span title={shown}>
      <span className={css.start}>{letters.slice(0, -END).join('')}</span>
      <span className={css.end}>{letters.slice(-END).join('')}</span>
    </span>
  )
}
