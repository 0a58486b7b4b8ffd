import { useState } from 'react'
import { Text, TextInput } from '@mantine/core'
import { api, take } from '@/shared/api/client'
import type { Query } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'
import { signersList } from '@/shared/ui/signers'
import { visible } from '@/shared/ui/visible'

export function SaveDialog({ query, close }: { query: Query; close: () => void }) {
  const [name, setName] = useState('')
  const save = useAction({
    run: () => take(api.POST('/api/saved-searches', { body: { name: name.trim(), query } })),
    changes: ['saved'],
    said: saved => `Saved as “${saved.name}”`,
    then: close,
  })
  return (
    <Dialog
      opened
      close={close}
      title="Save this search"
      action="Save"
      disabled={name.trim() === ''}
      busy={save.isPending}
      error={save.error}
      submit={() => save.mutate()}
    >
      <Text size="sm">
        <code>{visible(query.query)}</code> in {visible(query.scope)}
        {query.signed && query.signed.length > 0 && `, only signed by ${signersList(query.signed)}`}
        {query.senders && query.senders.length > 0 && `, only from ${visible(query.senders.join(', '))}`}
      </Text>
      <TextInput
        label="Name"
        description="One of your own searches with this name is replaced"
        maxLength={100}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
        data-autofocus
      />
    </Dialog>
  )
}
