import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { MiddleCut } from './MiddleCut'

describe('a path in one line', () => {
  const shown = (text: string) => {
    const { container } = render(<MiddleCut text={text} />)
    return container.firstElementChild as HTMLElement
  }

  it('keeps its end apart from what is cut, is whole in its title, and is copied whole', () => {
    const path = '/var/log/a/very/long/folder/of/the/press/plc.log'
    const cut = shown(path)
    expect(cut.getAttribute('title')).toBe(path)
    expect(cut.textContent).toBe(path)
    expect(cut.lastElementChild?.textContent).toBe('/press/plc.log')
  })

  it('is one piece where it is short, and shows what is hidden in it', () => {
    expect(shown('plc.log').children).toHaveLength(0)
    expect(shown('').textContent).toBe('')
    expect(shown('a\u202eb').getAttribute('title')).toBe('a‹U+202E›b')
    expect(screen.queryByText(/\u202e/)).toBeNull()
  })

  it('is not cut within a letter of two units', () => {
    expect(shown('😀'.repeat(20)).lastElementChild?.textContent).toBe('😀'.repeat(14))
  })
})
