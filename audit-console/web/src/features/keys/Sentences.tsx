import { List } from '@mantine/core'
import { Foreign } from '@/shared/ui/Foreign'

export function Sentences({ of }: { of: readonly string[] }) {
  return (
    <List size="sm" spacing={4}>
      {of.map(sentence => (
        <List.Item key={sentence}>
          <Foreign>{sentence}</Foreign>
        </List.Item>
      ))}
    </List>
  )
}
