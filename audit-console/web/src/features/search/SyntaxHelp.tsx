import { ActionIcon, Popover, Table, Text } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'

const FORMS: [string, string][] = [
  ['overheat', 'a word, a number, an address or a path, as it stands in the record'],
  ['"disk full"', 'all of these words, in any order'],
  ['level:error', 'a field and its value; quoted if it has spaces'],
  [
    'log.level:error',
    'a field by the name that records have for it; level, host, app, pid, ip and user find it by any name',
  ],
  ['from:example.org', 'of mail: a domain, an address, or words of a name'],
  ['temperature:70..90', 'a range of a numeric field'],
  ['time:2026-11-21T12', 'a month, a day, an hour or a minute, in UTC'],
  ['ip:10.0.0.0/8', 'a network, where the tenant’s profile has it'],
  ['a b', 'both; the same as a AND b'],
  ['failed NOT root', 'leaves out; - and ! do not'],
  ['a OR (b AND NOT c)', 'operators are words in capitals; NOT only beside something that is searched for'],
]

const KEYS: [string, string][] = [
  ['/', 'to the query'],
  ['Enter', 'search; in the list: open'],
  ['j k ↓ ↑', 'move in the list'],
  ['Esc', 'close the record; else stop the search'],
]

export function SyntaxHelp() {
  return (
    <Popover position="bottom-end" width={460} shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="How to write a query">
          <IconHelp size={20} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} data-autofocus>
        <Text fw={600} size="sm" mb={6}>
          Queries
        </Text>
        <Rows rows={FORMS} />
        <Text fw={600} size="sm" mt="sm" mb={6}>
          Keys
        </Text>
        <Rows rows={KEYS} />
        <Text size="xs" c="dimmed" mt="sm">
          Whole words only: the gateway compares sealed keywords and cannot look inside a word.
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}

function Rows({ rows }: { rows: [string, string][] }) {
  return (
    <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0} fz="sm">
      <Table.Tbody>
        {rows.map(([form, meaning]) => (
          <Table.Tr key={form}>
            <Table.Td w={170} valign="top">
              <code>{form}</code>
            </Table.Td>
            <Table.Td c="dimmed">{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
