import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { RecordDetail } from '@/shared/api/types'
import { CopyButton } from '@/shared/ui/Copy'
import type { At } from './MailTab'
import css from './RecordPanel.module.css'

export function RawTab({ at, detail }: { at: At; detail: RecordDetail }) {
  const json = JSON.stringify(detail, null, 2)
  const readable = detail.row.kind !== 'unreadable'
  return (
    <>
      <Group gap="xs" mb="sm">
        {readable && (
          <Button
            size="xs"
            variant="default"
            component="a"
            href={`/api/searches/${at.search}/rows/${at.row}/raw`}
            download
            leftSection={<IconDownload size={14} />}
          >
            Download byte for byte
          </Button>
        )}
        <CopyButton text={json}>Copy JSON</CopyButton>
      </Group>
      <pre className={css.json} tabIndex={0} aria-label="JSON">
        {json}
      </pre>
    </>
  )
}
