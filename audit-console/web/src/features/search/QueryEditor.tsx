import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import type { Field, QueryError } from '@/shared/api/types'
import { apply, suggest, type Suggestion } from './completion'
import { placeOf } from './errorPlace'
import { MOST_CHARACTERS } from './draft'
import { lex } from './lexer'
import css from './QueryEditor.module.css'

export interface EditorHandle {
  focus: () => void
}

interface Props {
  value: string
  onChange: (value: string) => void
  onSubmit: () => void
  onEscape: () => void
  fields: readonly Field[]
  mail: boolean
  errors: readonly QueryError[]
  describedBy?: string
  handle?: Ref<EditorHandle>
}

/** One line that grows. The text is coloured by a copy underneath, so that the field stays an ordinary one. */
export function QueryEditor(props: Props) {
  const { value, fields, mail, errors } = props
  const input = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(-1)
  const suggestions = useMemo(
    () => (caret === undefined ? [] : suggest(value, caret, fields, mail)),
    [value, caret, fields, mail],
  )
  useImperativeHandle(props.handle, () => ({ focus: () => input.current?.focus() }), [])

  const moved = useRef<number>(undefined)
  useEffect(() => {
    if (moved.current !== undefined) {
      input.current?.setSelectionRange(moved.current, moved.current)
      moved.current = undefined
    }
  })
  const accept = (suggestion: Suggestion) => {
    const next = apply(value, suggestion)
    moved.current = next.caret
    props.onChange(next.query)
    setCaret(next.caret)
    setActive(-1)
    input.current?.focus()
  }
  const close = () => {
    setCaret(undefined)
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = suggestions[active === -1 && event.key === 'Tab' ? 0 : active]
    if (suggestions.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((Math.max(active, step === 1 ? -1 : 0) + step + suggestions.length) % suggestions.length)
    } else if (chosen && (event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey) {
      event.preventDefault()
      accept(chosen)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      close()
      if (!event.repeat) {
        props.onSubmit()
      }
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (suggestions.length > 0) {
        close()
      } else {
        props.onEscape()
      }
    }
  }
  const open = suggestions.length > 0
  return (
    <div className={css.editor}>
      <div className={css.stack}>
        <Copy value={value} errors={errors} />
        <textarea
          ref={input}
          className={css.input}
          rows={1}
          value={value}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder={mail ? 'from:ada@example.org subject:"annual report"' : 'level:error AND unit:sshd'}
          aria-label="Query"
          aria-autocomplete="list"
          aria-controls={open ? list : undefined}
          aria-activedescendant={open && active >= 0 ? `${list}-${active}` : undefined}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={props.describedBy}
          onChange={event => {
            props.onChange(event.target.value)
            setCaret(event.target.selectionStart)
            setActive(-1)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
      </div>
      {open && <Suggestions id={list} suggestions={suggestions} active={active} accept={accept} />}
    </div>
  )
}

/** What is seen: the query in colours, with its errors marked at their places. */
function Copy({ value, errors }: { value: string; errors: readonly QueryError[] }) {
  // Of more than a query may have there are no places and no colours, so that a large text does not hold up the page.
  const places = errors.map(error => placeOf(value, error)).filter(place => place !== undefined)
  const isWrong = (at: number) => places.some(({ start, end }) => at >= start && at < end)
  return (
    <div className={css.copy} aria-hidden="true" data-testid="query-copy">
      {(value.length > MOST_CHARACTERS ? [{ kind: 'text' as const, text: value, start: 0 }] : lex(value)).map(token => (
        <span key={token.start} className={css[token.kind]}>
          <Marked text={token.text} isWrong={i => isWrong(token.start + i)} />
        </span>
      ))}
      {isWrong(value.length) && <mark className={css.mark}> </mark>}
      {'\u200b'}
    </div>
  )
}

/** Cut where right and wrong meet. */
function Marked({ text, isWrong }: { text: string; isWrong: (at: number) => boolean }) {
  const parts: { text: string; wrong: boolean }[] = []
  for (let i = 0; i < text.length; i++) {
    const wrong = isWrong(i)
    const last = parts.at(-1)
    if (last?.wrong === wrong) {
      last.text += text.charAt(i)
    } else {
      parts.push({ text: text.charAt(i), wrong })
    }
  }
  return parts.map((part, i) =>
    part.wrong ? (
      <mark key={i} className={css.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}

interface ListProps {
  id: string
  suggestions: Suggestion[]
  active: number
  accept: (suggestion: Suggestion) => void
}

function Suggestions({ id, suggestions, active, accept }: ListProps) {
  return (
    <ul className={css.list} id={id} role="listbox" aria-label="Completions">
      {suggestions.map((suggestion, i) => (
        <li
          key={suggestion.label}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === active}
          className={css.option}
          onMouseDown={event => {
            event.preventDefault()
            accept(suggestion)
          }}
        >
          <code>{suggestion.label}</code>
          <span className={css.hint}>{suggestion.hint}</span>
        </li>
      ))}
    </ul>
  )
}
