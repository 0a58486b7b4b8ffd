import type { ReactNode } from 'react'
import { ActionIcon, Table, Text, Tooltip } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { RecordDetail } from '@/shared/api/types'
import { CopyIcon } from '@/shared/ui/Copy'
import { visible } from '@/shared/ui/visible'
import { term } from './draft'
import css from './RecordPanel.module.css'

/** What can be done to the query from within a record. */
export interface Narrow {
  term: (term: string, exclude: boolean) => void
  sender: (sender: string) => void
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
            {detail.fields.map(({ name, value }, i) => (
              <Table.Tr key={`${name}-${i}`}>
                <Table.Td className={css.name}>{visible(name)}</Table.Td>
                <Table.Td className={css.value}>{visible(value)}</Table.Td>
                <Table.Td className={css.actions}>
                  <Act
                    label={`Add ${name}:${value} to the query`}
                    act={() => narrow.term(term(name, value), false)}
                    icon={<IconPlus size={15} />}
                  />
                  <Act
                    label={`Exclude ${name}:${value}`}
                    act={() => narrow.term(term(name, value), true)}
                    icon={<IconMinus size={15} />}
                  />
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
        {detail.keywords.map(keyword => (
          <Tooltip key={keyword} label="Add to the query" openDelay={400}>
            <button type="button" className={css.keyword} onClick={() => narrow.term(asTerm(keyword), false)}>
              {visible(keyword)}
            </button>
          </Tooltip>
        ))}
      </div>
    </>
  )
}

/** A keyword comes as field:value. */
function asTerm(keyword: string): string {
  const found = /^([\p{L}\p{N}_.-]+):([^]+)$/u.exec(keyword)
  return found ? term(found[1] as string, found[2] as string) : term('word', keyword)
}

function Act({ label, icon, act }: { label: string; icon: ReactNode; act: () => void }) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={act} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
