import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { IndexState } from '@/shared/api/types'
import { indexReasons } from '@/shared/ui/indexReasons'
import { visible } from '@/shared/ui/visible'
import css from './RecordPanel.module.css'

/** Whether the index of the opened record is complete: a finding stands out, the rest is a line. */
export function IndexNote({ index }: { index: IndexState }) {
  if (index.outcome === 'lacking') {
    return (
      <Alert
        color="red"
        icon={<IconAlertTriangle size={18} />}
        title="Its sender indexes less than it seals"
        mt="sm"
        data-testid="index"
      >
        {findings(index).map(text => (
          <div key={text}>{text}</div>
        ))}
        {index.keywords.length > 0 && (
          <div className={css.missing}>
            {index.keywords.map(keyword => (
              <code key={keyword}>{visible(keyword)}</code>
            ))}
          </div>
        )}
      </Alert>
    )
  }
  return (
    <Text size="xs" c="dimmed" mt="sm" data-testid="index">
      {summary(index)}
    </Text>
  )
}

const keywords = (count: number) => (count === 1 ? '1 keyword' : `${count} keywords`)

function findings(index: IndexState): string[] {
  const more = index.lacking + index.contradicted - index.keywords.length
  return [
    index.lacking > 0 &&
      `The index lacks ${keywords(index.lacking)} that this has by the rules which it names: no search for ${index.lacking === 1 ? 'it' : 'them'} finds it.`,
    index.contradicted > 0 &&
      `Of ${keywords(index.contradicted)} searches and the keys say different things: the index was made to look complete.`,
    index.malformed > 0 && 'A part of the index is not made as it has to be; nothing is said of its keywords.',
    more > 0 && `The first ${index.keywords.length} are shown.`,
    ...index.reasons.map(reason => indexReasons[reason]),
  ].filter(text => text !== false)
}

function summary(index: IndexState): string {
  const why = index.reasons.map(reason => indexReasons[reason]).join(' ')
  switch (index.outcome) {
    case 'excused':
      return `Index: excused. ${why}`
    case 'not-checked':
      return `Index: not checked. ${why}`
    default:
      return `Index: complete, as far as was asked.${why && ` ${why}`}`
  }
}
