import { render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { forgetDrafts, freezeDrafts, keepDrafts, restoreDrafts, takeDraft, useDraft } from './drafts'

function Typed({ text }: { text: string }) {
  useDraft('bar', text)
  return null
}

afterEach(forgetDrafts)

test('what is typed after the session is over, as long as the page is there, is kept too', () => {
  const page = render(<Typed text="level:error" />)
  freezeDrafts('ada')
  page.rerender(<Typed text="level:error AND gripper" />)
  page.unmount()
  keepDrafts()
  restoreDrafts()
  expect(takeDraft('bar')).toBe('level:error AND gripper')
})

test('what another page shows after the session is over is not what was typed before', () => {
  const page = render(<Typed text="level:error" />)
  freezeDrafts('ada')
  page.unmount()
  render(<Typed text="" />).unmount()
  keepDrafts()
  restoreDrafts()
  expect(takeDraft('bar')).toBe('level:error')
})
