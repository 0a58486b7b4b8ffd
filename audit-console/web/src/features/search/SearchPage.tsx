import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { Alert, Anchor } from '@mantine/core'
import { IconLinkOff, IconUserQuestion } from '@tabler/icons-react'
import { Link, useMatch } from 'react-router'
import { ApiError } from '@/shared/api/problem'
import type { Approval, Search } from '@/shared/api/types'
import { useSession } from '@/shared/auth/session'
import { plural, stamp, toMinute } from '@/shared/ui/format'
import { Empty, Failure, Loading } from '@/shared/ui/States'
import { isSameSearch, narrowed, type Draft } from './draft'
import { HeldSearches } from './HeldSearches'
import type { EditorHandle } from './QueryEditor'
import { Results } from './Results'
import { canSearch, SearchBar } from './SearchBar'
import { useCheck } from './useCheck'
import { useDraftState } from './useDraftState'
import { useScopes } from '@/shared/ui/useScopes'
import { isLive, useSearch } from './useSearch'
import { useStart, useStop } from './useStart'
import css from './SearchPage.module.css'

/** In which the same is started once, in milliseconds. */
const MOMENT = 500

export default function SearchPage() {
  const id = useMatch('/searches/:id')?.params.id
  const session = useSession()
  const search = useSearch(id)
  const scopes = useScopes()
  const { draft, change, started, searched, edited } = useDraftState(id, search.data, scopes.data)
  const [wanted, setWanted] = useState(false)
  const check = useCheck(draft, wanted)
  const [asked, setAsked] = useState<Approval>()
  const start = useStart(setAsked, started)
  const stop = useStop(id)
  const editor = useRef<EditorHandle>(null)
  const live = isLive(search.data)
  useTitle(id === undefined ? undefined : search.data)
  useFocus(editor, id === undefined)
  useSlash(editor)

  const last = useRef<Started>(undefined)
  const known = check.current !== undefined || Boolean(check.error)
  const { mutate, isPending } = start
  // Enter may come before the check does: the search waits for it, so that nobody is asked for approval without a reason.
  useEffect(() => {
    if (wanted && (known || !check.waiting)) {
      setWanted(false)
      const again = isPending || (live && !edited) || isRepeated(last.current, draft)
      if (known && canSearch(check, draft.reason) && !again) {
        last.current = { draft, at: Date.now() }
        mutate(draft, { onError: () => (last.current = undefined) })
      }
    }
  }, [wanted, known, check, draft, isPending, live, edited, mutate])
  const run = () => setWanted(true)
  const escape = useCallback(() => {
    if (live) {
      stop.mutate()
    }
  }, [live, stop])
  return (
    <div className={css.page}>
      <h1 className="sr-only">Search</h1>
      <SearchBar
        draft={draft}
        change={change}
        check={check}
        live={live}
        busy={start.isPending || wanted}
        search={run}
        stop={() => stop.mutate()}
        escape={escape}
        editor={editor}
      />
      {(start.error ?? stop.error) && (
        <div className={css.message}>
          <Failure error={start.error ?? stop.error} retry={start.error ? run : undefined} />
        </div>
      )}
      {scopes.error && (
        <div className={css.message}>
          <Failure error={scopes.error} retry={() => void scopes.refetch()} />
        </div>
      )}
      {asked && <Asked approval={asked} close={() => setAsked(undefined)} />}
      <div className={css.results}>
        {!id && scopes.error ? null : !id && scopes.data?.length === 0 ? (
          <Empty title="There is nowhere to search">
            No rule lets you search in any scope. A keeper sets the rules.
          </Empty>
        ) : !id ? (
          <HeldSearches
            mailbox={session.demo ? scopes.data?.find(({ kind }) => kind === 'mailbox') : undefined}
            example={(query, scope) => {
              change({ query, ...(scope && { scope: scope.name, mail: scope.kind === 'mailbox' }) })
              run()
            }}
          />
        ) : search.data ? (
          <>
            {search.error && (
              <div className={css.message}>
                <Failure error={search.error} retry={() => void search.refetch()} />
              </div>
            )}
            {edited && searched && <Edited restore={() => change(searched)} />}
            <Results
              key={id}
              search={search.data}
              connection={search.connection}
              escape={escape}
              narrowTime={(from, to) => {
                change({ ...searched, time: { kind: 'absolute', from, to } })
                run()
              }}
              narrow={{
                term: (term, exclude) => {
                  const { query } = narrowed(draft.query, term, exclude)
                  if (query !== undefined) {
                    change({ query })
                  }
                },
                refuses: (term, exclude) => narrowed(draft.query, term, exclude).why,
                sender: sender => change({ senders: [sender] }),
                only: term => {
                  const { query } = narrowed(draft.query, term, false)
                  if (query !== undefined) {
                    change({ query })
                    run()
                  }
                },
              }}
            />
          </>
        ) : search.error instanceof ApiError && search.error.status === 404 ? (
          <NotHere />
        ) : search.error ? (
          <div className={css.message}>
            <Failure error={search.error} retry={() => void search.refetch()} />
          </div>
        ) : (
          <div className={css.message}>
            <Loading rows={8} label="Loading the search" />
          </div>
        )}
      </div>
    </div>
  )
}

function Asked({ approval, close }: { approval: Approval; close: () => void }) {
  return (
    <div className={css.message}>
      <Alert
        role="status"
        color="yellow"
        icon={<IconUserQuestion size={20} />}
        title="Asked: a second person must approve"
        withCloseButton
        closeButtonLabel="Close"
        onClose={close}
      >
        Nothing was searched yet. The request stands until {toMinute(approval.expires)}; when it is approved, search
        again.{' '}
        <Anchor component={Link} to="/approvals" size="sm">
          See your requests
        </Anchor>
      </Alert>
    </div>
  )
}

/** The bar does not say what the results are of any more. */
function Edited({ restore }: { restore: () => void }) {
  return (
    <div className={css.edited} role="status">
      These are the results of the search before; press Enter to search for what the bar says.{' '}
      <Anchor component="button" type="button" size="sm" onClick={restore}>
        Undo the changes
      </Anchor>
    </div>
  )
}

/** The same for a search of somebody else as for one that there is not: the server does not tell which. */
function NotHere() {
  return (
    <div className={css.message}>
      <Alert
        role="alert"
        color="red"
        icon={<IconLinkOff size={20} />}
        title="No longer there, or not yours"
        data-state="error"
      >
        A search can be opened only by the person who started it, and only while the console holds it: it is forgotten
        after a while, when the keys are locked, and when the console is started anew. If somebody sent you this link,
        ask for the query itself, and search under your own rights.{' '}
        <Anchor component={Link} to="/" size="sm">
          Search
        </Anchor>
      </Alert>
    </div>
  )
}

interface Started {
  draft: Draft
  at: number
}

/** Whether the same was started a moment ago: Enter more than once, or a double click. */
const isRepeated = (last: Started | undefined, draft: Draft): boolean =>
  last !== undefined && Date.now() - last.at < MOMENT && isSameSearch(last.draft, draft)

/** Tells the tabs of several searches apart, by scope and start and not by words: browsers keep titles, and a query is in no storage. */
export function titleOf(search: Search | undefined): string {
  if (!search) {
    return 'Search · Veilgate'
  }
  const found = isLive(search) ? 'Searching' : plural(search.rows, 'hit')
  return `${found} in ${search.scope}, ${stamp(search.started).slice(11, 19)} · Veilgate`
}

function useTitle(search: Search | undefined): void {
  const title = titleOf(search)
  useEffect(() => {
    document.title = title
  }, [title])
}

/** Who comes to search types at once; on a touch screen that would open the keyboard over the page. */
function useFocus(editor: RefObject<EditorHandle | null>, isStart: boolean): void {
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (isStart && isFree && !window.matchMedia('(pointer: coarse)').matches) {
      editor.current?.focus()
    }
  }, [editor, isStart])
}

/** A slash leads to the query from everywhere but where one types. */
function useSlash(editor: RefObject<EditorHandle | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable], [role="dialog"]')
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault()
        editor.current?.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [editor])
}
