import { useState } from 'react'
import { ActionIcon, CloseButton, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconColumns3, IconMinus, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Fields, FieldValues, Search } from '@/shared/api/types'
import { count } from '@/shared/ui/format'
import { View } from '@/shared/ui/States'
import { visible } from '@/shared/ui/visible'
import { fieldColumn, has, withColumn, type View as TableView } from './columns'
import type { Narrow } from './FieldsTab'
import { columnName } from './GridHead'
import { isLive } from './useSearch'
import css from './FieldsPanel.module.css'

interface Props {
  search: Search
  view: TableView
  change: (view: TableView) => void
  narrow: Narrow
  close: () => void
}

type Field = Fields['fields'][number]

/** More fields are found by their names. */
const MOST = 100
/** While hits arrive, the fields are counted again as often, in milliseconds. */
const PACE = 3000

/** The fields of what was found: how many rows have them, and which values most often. */
export default function FieldsPanel({ search, view, change, narrow, close }: Props) {
  const [wanted, setWanted] = useState('')
  const live = isLive(search)
  const fields = useQuery({
    queryKey: ['fields', search.id, live ? 'live' : search.rows],
    queryFn: ({ signal }) =>
      take(api.GET('/api/searches/{id}/fields', { params: { path: { id: search.id } }, signal })),
    refetchInterval: live ? PACE : false,
    placeholderData: keepPreviousData,
    staleTime: live ? 0 : Infinity,
  })
  const mail = search.mail ?? false
  const matches = (field: Field) => nameOf(field, mail).toLowerCase().includes(wanted.trim().toLowerCase())
  return (
    <section className={css.panel} aria-label="Fields of what was found">
      <header className={css.head}>
        <h2>Fields</h2>
        <CloseButton size="sm" aria-label="Close the fields" onClick={close} />
      </header>
      <View query={fields}>
        {data => {
          const matching = data.fields.filter(matches)
          return (
            <>
              <p className={css.counted}>{countedWords(data)}</p>
              {data.fields.length > 8 && (
                <TextInput
                  size="xs"
                  className={css.find}
                  aria-label="Find a field by its name"
                  placeholder="Find a field"
                  value={wanted}
                  onChange={event => setWanted(event.currentTarget.value)}
                />
              )}
              <ul className={css.fields}>
                {matching.slice(0, MOST).map(field => (
                  <FieldItem
                    key={field.column}
                    search={search}
                    field={field}
                    counted={data.counted}
                    view={view}
                    change={change}
                    narrow={narrow}
                  />
                ))}
              </ul>
              {matching.length > MOST && (
                <p className={css.counted}>and {count(matching.length - MOST)} more: type their names</p>
              )}
              {matching.length === 0 && <p className={css.counted}>No field has such a name.</p>}
            </>
          )
        }}
      </View>
    </section>
  )
}

/** Over how many of how many hits. */
export const countedWords = ({ counted, total }: Pick<Fields, 'counted' | 'total'>): string =>
  counted === total
    ? `Of all ${count(total)} hits.`
    : `Of the first ${count(counted)} of ${count(total)} hits: there is no memory for the values of more.`

const nameOf = (field: Field, mail: boolean): string =>
  field.isFact ? columnName(field.column, mail) : visible(field.name)

interface ItemProps {
  search: Search
  field: Field
  counted: number
  view: TableView
  change: (view: TableView) => void
  narrow: Narrow
}

function FieldItem({ search, field, counted, view, change, narrow }: ItemProps) {
  const [open, setOpen] = useState(false)
  const name = nameOf(field, search.mail ?? false)
  const id = field.isFact ? field.column : fieldColumn(field.name)
  const shown = has(view, id)
  const label = shown ? `Take the column ${name} away` : `Show ${name} as a column`
  return (
    <li>
      <div className={css.field}>
        <UnstyledButton className={css.name} aria-expanded={open} onClick={() => setOpen(o => !o)}>
          <IconChevronDown size={13} className={open ? undefined : css.closed} aria-hidden />
          <bdi>{name}</bdi>
          <span className={css.rows} title={`${count(field.rows)} of ${count(counted)} rows have it`}>
            {share(field.rows, counted)}
          </span>
        </UnstyledButton>
        <Tooltip label={label} openDelay={400}>
          <ActionIcon
            size="sm"
            variant={shown ? 'light' : 'subtle'}
            color={shown ? undefined : 'gray'}
            aria-pressed={shown}
            aria-label={label}
            onClick={() => change(withColumn(view, id, !shown))}
          >
            <IconColumns3 size={14} />
          </ActionIcon>
        </Tooltip>
      </div>
      {open && <Values search={search} field={field} counted={counted} narrow={narrow} />}
    </li>
  )
}

const share = (rows: number, of: number): string => {
  const percent = of === 0 ? 0 : (100 * rows) / of
  return percent > 0 && percent < 1 ? '< 1 %' : percent < 100 && percent > 99 ? '> 99 %' : `${Math.round(percent)} %`
}

function Values({ search, field, counted, narrow }: Pick<ItemProps, 'search' | 'field' | 'counted' | 'narrow'>) {
  const [top, setTop] = useState(5)
  const values = useQuery({
    queryKey: ['field-values', search.id, field.column, top, counted],
    queryFn: ({ signal }) =>
      take(
        api.GET('/api/searches/{id}/fields/{column}', {
          params: { path: { id: search.id, column: field.column }, query: { top } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return (
    <div className={css.values}>
      <View query={values}>
        {data => (
          <>
            {data.numbers && (
              <dl className={css.numbers}>
                {(['minimum', 'median', 'maximum'] as const).map(each => (
                  <div key={each}>
                    <dt>{each}</dt>
                    <dd>{data.numbers?.[each]}</dd>
                  </div>
                ))}
              </dl>
            )}
            <ul aria-label={`Values of ${visible(data.name)} that most rows have`}>
              {data.values.map(value => (
                <Value key={value.value} value={value} of={data.rows} narrow={narrow} />
              ))}
            </ul>
            {data.distinct > data.values.length && (
              <UnstyledButton
                className={css.more}
                onClick={() => setTop(n => Math.min(100, n * 4))}
                disabled={top >= 100}
              >
                {count(data.distinct - data.values.length)} other values{top < 100 && ': show more'}
              </UnstyledButton>
            )}
          </>
        )}
      </View>
    </div>
  )
}

interface ValueProps {
  value: FieldValues['values'][number]
  of: number
  narrow: Narrow
}

function Value({ value: { value, rows, term, filter }, of, narrow }: ValueProps) {
  const shown = value === '' ? '(empty)' : visible(value)
  return (
    <li className={css.value}>
      <div className={css.valueLine}>
        <bdi className={css.text} title={shown}>
          {shown}
        </bdi>
        <span className={css.rows}>{count(rows)}</span>
        {term !== undefined && (
          <>
            <Act
              label={`Search only for ${visible(term)} among these`}
              why={narrow.refuses(term, false)}
              act={() => narrow.only(term)}
              icon={<IconSearch size={13} />}
            />
            <Act
              label={`Add ${visible(term)} to the query`}
              why={narrow.refuses(term, false)}
              act={() => narrow.term(term, false)}
              icon={<IconPlus size={13} />}
            />
            <Act
              label={`Exclude ${visible(term)}`}
              why={narrow.refuses(term, true)}
              act={() => narrow.term(term, true)}
              icon={<IconMinus size={13} />}
            />
          </>
        )}
        {filter === 'sender' && (
          <Act
            label={`Search only what ${shown} sent`}
            act={() => narrow.sender(value)}
            icon={<IconPlus size={13} />}
          />
        )}
      </div>
      <progress className={css.bar} value={rows} max={of} aria-hidden />
    </li>
  )
}

interface ActProps {
  label: string
  why?: string | undefined
  act: () => void
  icon: React.ReactNode
}

/** One that cannot be used now stays where it is and says why. */
function Act({ label, why, act, icon }: ActProps) {
  const text = why === undefined ? label : `${label}: not now, ${why}`
  return (
    <Tooltip label={text} openDelay={300}>
      <ActionIcon
        size="xs"
        variant="subtle"
        color="gray"
        aria-label={text}
        aria-disabled={why !== undefined || undefined}
        data-disabled={why !== undefined || undefined}
        onClick={why === undefined ? act : undefined}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
