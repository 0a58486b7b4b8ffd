import { describe, expect, it } from 'vitest'
import {
  defaultView,
  direction,
  fieldColumn,
  fitting,
  leastWidth,
  moved,
  MOST_WIDTH,
  requestSort,
  resized,
  template,
  toggled,
  withColumn,
} from './columns'

const table = { fields: ['status', 'user'], known: 10, marks: [] }
const ids = (view: { columns: { id: string }[] }) => view.columns.map(column => column.id)

describe('columns', () => {
  it('give way to the text where there is little room, those of fields last', () => {
    const view = withColumn(defaultView(false), 'field:user', true)
    expect(fitting(view, 2000)).toBe(view)
    expect(ids(fitting(view, 720))).toEqual(['time', 'level', 'field:user', 'text'])
    expect(ids(fitting(view, 300))).toEqual(['time', 'text'])
    expect(fitting(view, 0)).toBe(view)
  })

  it('are added before the text, and taken away but for the last one', () => {
    const view = withColumn(defaultView(false), fieldColumn('user'), true)
    expect(ids(view)).toEqual(['time', 'level', 'sender', 'origin', 'field:user', 'text'])
    expect(withColumn(view, 'field:user', true)).toBe(view)
    expect(ids(withColumn(view, 'level', false))).not.toContain('level')
    const one = { ...view, columns: [{ id: 'time' }] }
    expect(withColumn(one, 'time', false)).toBe(one)
  })

  it('move by places and stay inside', () => {
    const view = defaultView(true)
    expect(ids(moved(view, 'to', -1))).toEqual(['time', 'to', 'from', 'text'])
    expect(moved(view, 'time', -1)).toBe(view)
    expect(ids(moved(view, 'time', 99)).at(-1)).toBe('time')
  })

  it('have widths within bounds', () => {
    expect(resized(defaultView(false), 'level', 3).columns[1]).toEqual({ id: 'level', width: 60 })
    expect(resized(defaultView(false), 'level', 9e9).columns[1]?.width).toBe(MOST_WIDTH)
    expect(template(defaultView(true))).toBe('192px 200px 200px minmax(240px, 1fr)')
    expect(template({ ...defaultView(true), columns: [{ id: 'time' }, { id: 'to' }] })).toBe('192px minmax(200px, 1fr)')
    expect(leastWidth(defaultView(true))).toBeGreaterThan(800)
  })

  it('sort first as one mostly wants it, then the other way round', () => {
    expect(toggled('', 'time')).toBe('-time')
    expect(toggled('-time', 'time')).toBe('time')
    expect(toggled('-time', 'sender')).toBe('sender')
    expect(toggled('sender', 'sender')).toBe('-sender')
    expect(direction('-time', 'time')).toBe('descending')
    expect(direction('-time', 'sender')).toBe('none')
  })

  it('of fields are asked for by their number in this search', () => {
    expect(requestSort('-field:user', table)).toBe('-field-1')
    expect(requestSort('field:other', table)).toBeUndefined()
    expect(requestSort('-time', undefined)).toBe('-time')
    expect(requestSort('', table)).toBe('')
  })
})
