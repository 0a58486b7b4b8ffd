import { lazy, Suspense, useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Query, Search } from '@/shared/api/types'
import { plural } from '@/shared/ui/format'
import { Empty, Failure, Loading } from '@/shared/ui/States'
import { ApiError } from '@/shared/api/problem'
import type { Narrow } from './FieldsTab'
import { HistogramPanel } from './HistogramPanel'
import { Marks } from './Marked'
import { OtherTimes } from './OtherTimes'
import { standing } from './progress'
import { RecordPanel } from './RecordPanel'
import { ResultBar } from './ResultBar'
import { moved, ResultGrid } from './ResultGrid'
import { RouteDialog } from '@/shared/ui/RouteDialog'
import { SaveDialog } from './SaveDialog'
import { Searched } from './Searched'
import { SourcesDrawer } from './SourcesDrawer'
import { UncheckedDrawer } from './UncheckedDrawer'
import { isLive, type Connection } from './useSearch'
import { useResultRows } from './useResultRows'
import { useForget } from './useStart'
import { useUnchecked } from './useUnchecked'
import css from './SearchPage.module.css'

const FieldsPanel = lazy(() => import('./FieldsPanel'))

/** From one search to the next of this page. */
let fieldsWereShown = false

interface Props {
  search: Search
  connection: Connection
  escape: () => void
  /** Searches the same in another time. */
  narrowTime: (from: string, to: string) => void
  narrow: Narrow
}

export const asQuery = (search: Search): Query => ({
  query: search.query,
  scope: search.scope,
  mail: search.mail ?? false,
  ...(search.from && { from: search.from }),
  ...(search.to && { to: search.to }),
  ...(search.senders?.length && { senders: search.senders }),
  ...(search.signed?.length && { signed: search.signed }),
})

/** State, histogram, rows, record. */
export function Results({ search, connection, escape, narrowTime, narrow }: Props) {
  const [dialog, setDialog] = useState<'save' | 'route' | 'chains' | 'unchecked'>()
  const [fields, setFields] = useState(fieldsWereShown)
  useEffect(() => {
    fieldsWereShown = fields
  }, [fields])
  const forget = useForget(search.id)
  const recheck = useUnchecked(search, dialog === 'unchecked')
  const list = useRef<HTMLDivElement>(null)
  const rows = useResultRows(search)
  const { selection, choose, openRow, order } = rows
  const opened = selection.open ? selection.active : undefined
  const open = useCallback((place: number) => choose(place, true), [choose])
  const focusList = useCallback(() => list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus(), [])
  const { clear } = recheck
  const openChecked = useCallback(
    (row: number) => {
      setDialog(undefined)
      clear()
      focusList()
      order.update()
      void openRow(row, { ...order, upTo: Math.max(search.rows, row + 1) })
    },
    [clear, focusList, openRow, order, search.rows],
  )
  const close = () => {
    choose(selection.active, false)
    focusList()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      if (opened === undefined) {
        escape()
      } else {
        close()
      }
    } else if (opened !== undefined && (event.key === 'j' || event.key === 'k') && !isTyping(event.target)) {
      const place = moved(event, selection.active, order.upTo, 1)
      if (place !== undefined && !event.defaultPrevented) {
        choose(place)
      }
    }
  }
  const panel = opened !== undefined && opened < order.upTo
  return (
    <>
      <Searched search={search} />
      <ResultBar
        search={search}
        connection={connection}
        chains={() => setDialog('chains')}
        unchecked={() => setDialog('unchecked')}
        save={() => setDialog('save')}
        route={() => setDialog('route')}
        forget={() => forget.mutate()}
      />
      {forget.error && <Failure error={forget.error} />}
      <OtherTimes search={search} show={narrowTime} />
      {search.rows === 0 ? (
        <NoRows search={search} />
      ) : (
        <>
          <HistogramPanel search={search} narrow={narrowTime} />
          <div
            className={css.split}
            data-panel={panel ? 'open' : undefined}
            data-fields={fields ? 'shown' : undefined}
            onKeyDown={onKeyDown}
          >
            {fields && (
              <Suspense fallback={<div />}>
                <FieldsPanel
                  search={search}
                  view={rows.view}
                  change={rows.change}
                  narrow={narrow}
                  close={() => {
                    setFields(false)
                    focusList()
                  }}
                />
              </Suspense>
            )}
            <div className={css.list} ref={list}>
              <Marks value={rows.marker}>
                <ResultGrid
                  search={search}
                  table={rows.table}
                  view={rows.view}
                  change={rows.change}
                  order={order}
                  pages={rows.pages}
                  active={selection.active}
                  setActive={choose}
                  open={open}
                  opened={opened}
                  fieldsShown={fields}
                  toggleFields={() => setFields(shown => !shown)}
                  onTop={rows.onTop}
                />
              </Marks>
            </div>
            {panel && (
              <div className={css.side}>
                <Marks value={rows.marker}>
                  <RecordPanel
                    search={search}
                    place={opened}
                    places={order.upTo}
                    row={selection.row}
                    move={choose}
                    close={close}
                    narrow={narrow}
                  />
                </Marks>
              </div>
            )}
          </div>
        </>
      )}
      {dialog === 'save' && <SaveDialog query={asQuery(search)} close={() => setDialog(undefined)} />}
      {dialog === 'route' && (
        <RouteDialog query={{ ...asQuery(search), signed: undefined }} close={() => setDialog(undefined)} />
      )}
      <SourcesDrawer search={search} opened={dialog === 'chains'} close={() => setDialog(undefined)} />
      <UncheckedDrawer
        search={search}
        recheck={recheck}
        opened={dialog === 'unchecked'}
        close={() => {
          setDialog(undefined)
          clear()
          if (search.unchecked === 0) {
            focusList()
          }
        }}
        open={openChecked}
      />
    </>
  )
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, [role="tab"]') !== null

/** No rows mean very different things: not yet, nothing, cut short, or an error. */
function NoRows({ search }: { search: Search }) {
  if (isLive(search)) {
    return (
      <div className={css.message}>
        <Loading rows={6} label="Searching" />
      </div>
    )
  }
  if (search.state === 'failed') {
    return (
      <div className={css.message}>
        <Failure
          error={
            new ApiError(500, {
              title: 'The search failed before anything was found',
              detail: `${search.problem ?? 'It could not be finished.'} This does not mean that there is nothing.`,
            })
          }
        />
      </div>
    )
  }
  if (search.state !== 'complete') {
    return (
      <Empty title="Nothing found so far">{standing(search).caution} So there may be hits that were not reached.</Empty>
    )
  }
  if (search.unchecked > 0) {
    return (
      <Empty title="Nothing was found so far, but not all was checked">
        {plural(search.unchecked, 'mail')} {search.unchecked === 1 ? 'was' : 'were'} not checked, since their
        attachments take too long to read, and may be what you search for. The bar above leads to them.
      </Empty>
    )
  }
  if (search.otherwiseSigned !== undefined && search.otherwiseSigned > 0) {
    return (
      <Empty title="Nothing was found that is signed so">
        What was found is signed by others. Choose more under “Signed by”, or nothing at all.
      </Empty>
    )
  }
  if (search.others) {
    return (
      <Empty title="Nothing was found in this time">
        What was found is of other times. A line or mail counts by the time that it names itself, or by when it was read
        or sealed, if it names none that can be.
      </Empty>
    )
  }
  return (
    <Empty title="Nothing was found">
      {search.envelopes === 0
        ? 'This scope has no envelopes that can hold anything of this time. '
        : `All ${plural(search.envelopes, 'envelope')} of this scope that can hold something of this time were searched, and none holds what you asked for. `}
      The gateway compares whole words: try another form of the word, or a longer time.
    </Empty>
  )
}
