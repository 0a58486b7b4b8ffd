import { createContext, useContext, useMemo } from 'react'
import { visible } from '@/shared/ui/visible'
import type { Marker } from './marks'
import css from './ResultGrid.module.css'

const PLAIN: Marker = text => [{ text, marked: false }]

/** Marks what was searched for; of the results that are shown. */
export const Marks = createContext<Marker>(PLAIN)

/** A text with what was searched for marked in it, and nothing hidden in it. */
export function Marked({ text }: { text: string }) {
  const marker = useContext(Marks)
  const pieces = useMemo(() => marker(text), [marker, text])
  return pieces.map((piece, i) =>
    piece.marked ? (
      <mark key={i} className={css.mark}>
        {visible(piece.text)}
      </mark>
    ) : (
      visible(piece.text)
    ),
  )
}
