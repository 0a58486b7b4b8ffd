import { screen } from '@testing-library/react'
import { BASE, detail, histogram, rowsOf, search } from './samples'

/** The query bar. */
export const bar = () => screen.findByRole('textbox', { name: 'Query' })
/** Answers for a page with search `s1`. */
export const found = (part = {}) => ({
  ...BASE,
  'GET /api/searches/s1': search(part),
  'GET /api/searches/s1/rows': rowsOf(search(part).rows),
  'GET /api/searches/s1/histogram': histogram,
  'GET /api/searches/s1/rows/*': (seen: { path: string }) =>
    detail({ text: `the whole of ${seen.path.split('/').at(-1)}` }),
})
