import type { ReactNode } from 'react'
import { ActionIcon, Table, Text, Tooltip } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { RecordDetail } from '@/shared/api/types'
import { CopyIcon } from '@/shared/ui/Copy'
import { visible } from '@/shared/ui/visible'
import css from './RecordPanel.module.css'

/** What can be done to the query from within a record. */
export interface Narrow {
  term: (term: string, exclude: boolean) => void
  /** Why a term cannot be added or left out now, if it cannot. */
  refuses: (term: string, exclude: boolean) => string | undefined
  sender: (sender: string) => void
  /** Searches at once for what the term finds, among what was searched for. */
  only: (term: string) => void
}

export function FieldsTab({ detail, narrow }: { detail: RecordDetail; narrow: Narrow }) {
  return (
    <>
      {detail.fields.length === 0 ? (
        <Text size="sm" c="dimmed" data-state="empty">
          This record has no fields, only text.
        </Text>
      ) : (
        <Table className={css.fields} verticalSpacing={5} fz="sm">
          <Table.Thead className="sr-only">
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {detail.fields.map(({ name, value, term, filter }, i) => (
              <Table.Tr key={`${name}-${i}`}>
                <Table.Td className={css.name}>{visible(name)}</Table.Td>
                <Table.Td className={css.value}>{visible(value)}</Table.Td>
                <Table.Td className={css.actions}>
                  {term !== undefined && <TermButtons term={term} narrow={narrow} />}
                  {filter === 'sender' && (
                    <Act
                      label={`Search only what ${visible(value)} sent`}
                      act={() => narrow.sender(value)}
                      icon={<IconPlus size={15} />}
                    />
                  )}
                  <CopyIcon text={value} what={name} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text fw={600} size="sm" mt="md" mb={6}>
        Keywords: what it can be found by
      </Text>
      <div className={css.keywords}>
        {detail.keywords.map(({ keyword, term }) => (
          <Keyword key={keyword} keyword={keyword} term={term} narrow={narrow} />
        ))}
      </div>
    </>
  )
}

/** Only for a term that the server has tried on this record. */
function TermButtons({ term, narrow }: { term: string; narrow: Narrow }) {
  return (
    <>
      <Act
        label={`Add ${visible(term)} to the query`}
        why={narrow.refuses(term, false)}
        act={() => narrow.term(term, false)}
        icon={<IconPlus size={15} />}
      />
      <Act
        label={`Exclude ${visible(term)}`}
        why={narrow.refuses(term, true)}
        act={() => narrow.term(term, true)}
        icon={<IconMinus size={15} />}
      />
    </>
  )
}

function Keyword({ keyword, term, narrow }: { keyword: string; term: string | undefined; narrow: Narrow }) {
  const why = term === undefined ? 'no term of a query says exactly this' : narrow.refuses(term, false)
  return (
    <Tooltip label={why === undefined ? 'Add to the query' : `Cannot be added: ${why}`} openDelay={400}>
      {term === undefined || why !== undefined ? (
        <span className={css.keyword} data-fixed>
          {visible(keyword)}
        </span>
      ) : (
        <button type="button" className={css.keyword} onClick={() => narrow.term(term, false)}>
          {visible(keyword)}
        </button>
      )}
    </Tooltip>
  )
}

/** One that cannot be used now stays where it is and says why. */
function Act({ label, why, icon, act }: { label: string; why?: string | undefined; icon: ReactNode; act: () => void }) {
  const text = why === undefined ? label : `${label}: not now, ${why}`
  return (
    <Tooltip label={text} openDelay={300}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={why === undefined ? act : undefined}
        aria-disabled={why !== undefined || undefined}
        data-disabled={why !== undefined || undefined}
        aria-label={text}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
