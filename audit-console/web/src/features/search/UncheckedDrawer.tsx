import { memo, useCallback, useState } from 'react'
import { Alert, Anchor, Button, Drawer, Group, Loader, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Row, Search } from '@/shared/api/types'
import { count, plural, timeZone } from '@/shared/ui/format'
import { Empty, Failure, View } from '@/shared/ui/States'
import { Exact } from '@/shared/ui/Time'
import { visible } from '@/shared/ui/visible'
import { Signed } from './GridRow'
import { isLive } from './useSearch'
import { inWords, type Checked, type Recheck } from './useUnchecked'
import css from './UncheckedDrawer.module.css'

interface Props {
  search: Search
  recheck: Recheck
  /** Shows a row of the result. */
  open: (row: number) => void
}

/** Mails that may be what was searched for, and whose attachments take too long to be read. */
export function UncheckedDrawer({ opened, close, open, ...props }: Props & { opened: boolean; close: () => void }) {
  // Who follows a link to a row goes on there, and not where the list was opened.
  const [followed, setFollowed] = useState(false)
  const follow = useCallback(
    (row: number) => {
      setFollowed(true)
      open(row)
    },
    [open],
  )
  return (
    <Drawer
      opened={opened}
      onClose={() => {
        setFollowed(false)
        close()
      }}
      returnFocus={!followed}
      position="right"
      size={560}
      title={<span className="dialog-title">Mails that were not checked</span>}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <UncheckedList {...props} open={follow} />}
    </Drawer>
  )
}

export function UncheckedList({ search, recheck, open }: Props) {
  const live = isLive(search)
  const obstacle = obstacleOf(search)
  const unchecked = useQuery({
    queryKey: ['unchecked', search.id, live ? 'live' : 'end'],
    queryFn: ({ signal }) =>
      take(api.GET('/api/searches/{id}/unchecked', { params: { path: { id: search.id } }, signal })),
    refetchInterval: live ? 1000 : false,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        These mails claim to hold what you search for. Only their attachments can show if they do, and those take too
        long to read: so they may be what you search for, and are not counted, charted or exported. Anybody can send
        such a mail. <em>Check</em> reads one of them for up to ten times as long, which may take minutes.
      </Text>
      <View
        query={unchecked}
        isEmpty={({ mails }) => mails.length === 0 && recheck.checked.size === 0}
        empty={<Empty title="All mails are checked">No mail of this search is left that was not checked.</Empty>}
      >
        {({ total, mails }) => (
          <>
            {mails.length < total && (
              <Alert color="yellow" p="xs" mb="md" role="note">
                The first {count(mails.length)} of {plural(total, 'mail')} are listed. For the others narrow the search:
                to a shorter time, or to mails that somebody signed.
              </Alert>
            )}
            <Listed mails={mails} obstacle={obstacle} recheck={recheck} open={open} />
          </>
        )}
      </View>
    </>
  )
}

/** Mails that are drawn at first, and more of them at a time: a thousand take seconds. */
const DRAWN = 100

/** Why no mail can be checked. */
function obstacleOf(search: Search): string | undefined {
  if (isLive(search)) {
    return 'They can be checked when the search has ended.'
  }
  return search.state === 'limited'
    ? 'They cannot be checked: the search has as many rows as it may have. Narrow it and search again.'
    : undefined
}

interface ListedProps extends Omit<Props, 'search'> {
  mails: readonly Row[]
  obstacle: string | undefined
}

function Listed({ mails, obstacle, recheck, open }: ListedProps) {
  const { checked, queue, error, check, stop } = recheck
  const [drawn, setDrawn] = useState(DRAWN)
  const left = mails.filter(({ row }) => !checked.has(row))
  const all = [...left, ...[...checked.values()].map(({ mail }) => mail)].sort((a, b) => a.row - b.row)
  const last = [...checked.values()].at(-1)
  return (
    <>
      <Group mb="sm" gap="sm" wrap="nowrap">
        {queue.length > 1 ? (
          <Button className={css.button} size="xs" variant="default" onClick={stop}>
            Stop after this one
          </Button>
        ) : (
          <Button
            className={css.button}
            size="xs"
            variant="default"
            disabled={obstacle !== undefined || queue.length > 0 || left.length === 0}
            onClick={() => check(left)}
          >
            Check all
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {obstacle ?? progressOf(queue)}
        </Text>
      </Group>
      {error !== undefined && <Failure error={error} />}
      <div className="sr-only" role="status" aria-live="polite">
        {last && `${visible(last.mail.text ?? 'Mail')}: ${inWords(last.result)}`}
      </div>
      <ul className={css.list} aria-label={`Mails that were not checked, times in ${timeZone()}`}>
        {all.slice(0, drawn).map(mail => (
          <Mail
            key={mail.row}
            mail={mail}
            checked={checked.get(mail.row)}
            turn={queue[0] === mail.row ? 'now' : queue.includes(mail.row) ? 'waits' : undefined}
            possible={obstacle === undefined}
            check={check}
            open={open}
          />
        ))}
      </ul>
      {all.length > drawn && (
        <Button size="xs" variant="default" onClick={() => setDrawn(n => n + DRAWN)}>
          Show more, of {count(all.length - drawn)}
        </Button>
      )}
    </>
  )
}

const progressOf = (queue: readonly number[]): string =>
  queue.length > 1
    ? `${plural(queue.length, 'mail')} to check, one after the other. You can close this and go on.`
    : queue.length === 1
      ? 'One mail is being checked. You can close this and go on.'
      : ''

interface MailProps {
  mail: Row
  checked: Checked | undefined
  turn: 'now' | 'waits' | undefined
  possible: boolean
  check: (mails: readonly Row[]) => void
  open: (row: number) => void
}

const Mail = memo(function Mail({ mail, checked, turn, possible, check, open }: MailProps) {
  const subject = visible(mail.text ?? '') || 'No subject'
  return (
    <li className={css.mail} tabIndex={-1}>
      <div className={css.what}>
        <div className={css.dim}>
          <Exact at={mail.time} />
        </div>
        <div className={css.people}>
          <Signed row={mail} />
          <bdi>{visible(mail.from ?? mail.sender)}</bdi>
          <span className={css.dim}>to</span>
          <bdi>{visible(mail.to ?? '–')}</bdi>
        </div>
        <div className={css.subject}>
          <bdi>{subject}</bdi>
        </div>
      </div>
      <div className={css.state}>
        {checked ? (
          <Outcome checked={checked} open={open} />
        ) : turn === 'now' ? (
          <span className={css.dim}>
            <Loader size={13} mr={7} aria-hidden />
            Checking
          </span>
        ) : turn === 'waits' ? (
          <span className={css.dim}>Waits for its turn</span>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            disabled={!possible}
            aria-label={`Check ${subject}`}
            onClick={event => {
              // The button goes: the focus stays with the mail.
              event.currentTarget.closest('li')?.focus()
              check([mail])
            }}
          >
            Check
          </Button>
        )}
      </div>
    </li>
  )
})

function Outcome({ checked: { result }, open }: { checked: Checked; open: (row: number) => void }) {
  const { verdict, row } = result
  if (verdict === 'found' && row !== undefined) {
    return (
      <Anchor component="button" type="button" size="sm" onClick={() => open(row)}>
        {inWords(result)}
      </Anchor>
    )
  }
  return <span className={verdict === 'unchecked' ? css.warn : css.dim}>{inWords(result)}</span>
}
