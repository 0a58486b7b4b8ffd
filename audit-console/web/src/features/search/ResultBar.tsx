import { useState, type ReactNode } from 'react'
import { Button, Divider, Menu, Popover, Progress, Text, UnstyledButton } from '@mantine/core'
import { IconBookmark, IconDots, IconDownload, IconLink, IconRoute, IconTrash } from '@tabler/icons-react'
import type { Search } from '@/shared/api/types'
import { count, duration, plural } from '@/shared/ui/format'
import { announcement, pace, share, standing } from './progress'
import { recheckSaid } from './recheck'
import { isLive, type Connection } from './useSearch'
import css from './ResultBar.module.css'

interface Props {
  search: Search
  connection: Connection
  chains: () => void
  unchecked: () => void
  save: () => void
  route: () => void
  forget: () => void
}

/** How the search stands, and what can be done with what it found. */
export function ResultBar({ search, connection, unchecked, ...actions }: Props) {
  const { tone, title, caution } = standing(search)
  const live = isLive(search)
  return (
    <section
      className={css.bar}
      aria-label="State of the search"
      data-search={search.id}
      data-search-state={search.state}
    >
      <Progress
        className={css.progress}
        value={share(search)}
        size={4}
        radius={0}
        striped={live}
        animated={live}
        color={tone === 'bad' ? 'red' : tone === 'warn' ? 'yellow' : tone === 'good' ? 'teal' : 'indigo'}
        aria-label={search.state === 'issuing' ? 'Trapdoors issued' : 'Envelopes searched'}
      />
      <div className={css.row}>
        <span className={`${css.state} ${css[tone]}`}>{title}</span>
        <span className={css.hits}>
          <strong>{count(search.rows)}</strong> {search.rows === 1 ? 'hit' : 'hits'}
        </span>
        {search.unreadable > 0 && (
          <span
            className={css.unreadable}
            title="What you may not read is one row for each envelope, however many of its records match"
          >
            {count(search.unreadable)} of them not readable
          </span>
        )}
        {search.unchecked > 0 && (
          <UnstyledButton
            className={css.unchecked}
            title="Their attachments take too long to read. They may be what you search for; they are not counted, charted or exported."
            onClick={unchecked}
          >
            {plural(search.unchecked, 'mail')} not checked
          </UnstyledButton>
        )}
        <span className={css.dim}>{pace(search)}</span>
        <span className={css.gap} />
        <Actions search={search} live={live} {...actions} />
      </div>
      {(caution ||
        search.dropped > 0 ||
        Boolean(search.otherwiseSigned) ||
        Boolean(search.undated) ||
        search.recheck ||
        connection === 'lost') && (
        <div className={css.notes}>
          {connection === 'lost' && (
            <Text size="sm" className={css.warn} role="status">
              The connection to the console is lost; it is being made again. What you see may be old.
            </Text>
          )}
          {caution && <span className={tone === 'bad' ? css.bad : css.warn}>{caution}</span>}
          {search.undated !== undefined && search.undated > 0 && (
            <span className={css.dim} data-undated={search.undated}>
              {plural(search.undated, 'mail')} {search.undated === 1 ? 'has' : 'have'} no date, or one that cannot be,
              and {search.undated === 1 ? 'stands' : 'stand'} at the time of sealing.
            </span>
          )}
          {search.otherwiseSigned !== undefined && search.otherwiseSigned > 0 && (
            <span className={css.dim} data-otherwise-signed={search.otherwiseSigned}>
              {plural(search.otherwiseSigned, 'more mail')} {search.otherwiseSigned === 1 ? 'is' : 'are'} signed by
              others than you asked for.
            </span>
          )}
          {search.recheck && (
            <span className={css[recheckSaid(search.recheck).tone]} data-recheck={search.recheck.state}>
              {recheckSaid(search.recheck).text}
            </span>
          )}
          {search.dropped > 0 && (
            <span className={css.dim}>
              {plural(search.dropped, 'record')} did not contain what {search.dropped === 1 ? 'it was' : 'they were'}{' '}
              found by and {search.dropped === 1 ? 'is' : 'are'} not shown.
            </span>
          )}
        </div>
      )}
      <div className="sr-only" role="status" aria-live="polite">
        {announcement(search)}
      </div>
    </section>
  )
}

type ActionProps = Omit<Props, 'connection' | 'unchecked'> & { live: boolean }

function Actions({ search, live, chains, save, route, forget }: ActionProps) {
  const [more, setMore] = useState(false)
  return (
    <div className={css.actions}>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconLink size={15} />}
        onClick={chains}
        disabled={search.rows === 0}
      >
        Chain check
      </Button>
      <Export search={search} live={live} />
      <Popover position="bottom-end" width={260} shadow="md" opened={more} onChange={setMore} trapFocus>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-label="More about this search"
            onClick={() => setMore(m => !m)}
          >
            <IconDots size={17} />
          </Button>
        </Popover.Target>
        <Popover.Dropdown p={6}>
          <More icon={<IconBookmark size={16} />} act={save} close={setMore}>
            Save this search
          </More>
          <More icon={<IconRoute size={16} />} act={route} close={setMore}>
            Make it a standing route
          </More>
          <More icon={<IconTrash size={16} />} act={forget} close={setMore}>
            Forget it and what it found
          </More>
          <Divider my={6} />
          <Facts search={search} />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

interface MoreProps {
  icon: ReactNode
  act: () => void
  close: (open: boolean) => void
  children: string
}

function More({ icon, act, close, children }: MoreProps) {
  const onClick = () => {
    close(false)
    act()
  }
  return (
    <Button
      fullWidth
      size="sm"
      variant="subtle"
      color="gray"
      justify="flex-start"
      fw={400}
      leftSection={icon}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

function Facts({ search }: { search: Search }) {
  const facts: [string, string | undefined][] = [
    ['Trapdoors', count(search.trapdoors)],
    ['Authorised and issued in', search.issueMillis === undefined ? undefined : duration(search.issueMillis)],
    ['First hit after', search.firstRowMillis === undefined ? undefined : duration(search.firstRowMillis)],
    ['Blocks tested', search.blocksTested === undefined ? undefined : count(search.blocksTested)],
    ['Blocks remembered', search.blocksRemembered === undefined ? undefined : count(search.blocksRemembered)],
  ]
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const FORMATS = [
  { format: 'jsonl', label: 'JSON Lines', hint: 'every field of each row, one object a line' },
  { format: 'csv', label: 'CSV', hint: 'the columns of the list, for spreadsheets' },
  { format: 'mbox', label: 'mbox', hint: 'whole mails, for mail programs' },
] as const

function Export({ search, live }: { search: Search; live: boolean }) {
  const formats = FORMATS.filter(({ format }) => format !== 'mbox' || search.mail)
  return (
    <Menu position="bottom-end" width={310} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={15} />}
          disabled={live}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={css.label}>
          {search.rows === 0
            ? 'One ZIP that says that nothing was found'
            : `One ZIP with ${search.rows === 1 ? 'the row' : `all ${count(search.rows)} rows`} as shown`}
          {search.state === 'complete' && !search.incomplete?.length ? '' : ', marked as partial'}, and a signed
          manifest. {search.unreadable > 0 && `Rows that cannot be read are in it as such. `}
          {search.unchecked > 0 &&
            `The ${plural(search.unchecked, 'mail')} that ${search.unchecked === 1 ? 'was' : 'were'} not checked ${search.unchecked === 1 ? 'is' : 'are'} not in it. `}
          <code>veilgate verify --export</code> checks it.
        </Menu.Label>
        {formats.map(({ format, label, hint }) => (
          <Menu.Item key={format} component="a" href={`/api/searches/${search.id}/export?format=${format}`} download>
            {label}
            <Text size="xs" c="dimmed">
              {hint}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
