import { useState } from 'react'
import { Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { api, take } from '@/shared/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'

type Kind = 'index' | 'wrap' | 'policy'

export function RotateDialog({ close }: { close: () => void }) {
  const [kinds, setKinds] = useState<Kind[]>([])
  const [typed, setTyped] = useState('')
  const rotate = useAction({
    run: () => take(api.POST('/api/keys/rotate', { body: { ...(kinds.length > 0 && { kinds }) } })),
    changes: ['keys'],
    said: keys => `New keys are in use, with bundle no. ${keys.bundleSerial ?? ''}`,
    then: close,
  })
  return (
    <Dialog
      opened
      close={close}
      title="Rotate keys"
      action="Rotate"
      color="red"
      disabled={typed.trim().toLowerCase() !== 'rotate'}
      busy={rotate.isPending}
      error={rotate.error}
      submit={() => rotate.mutate()}
    >
      <Text size="sm">
        New keys are made beside the old ones, and a new bundle for senders. The old keys stay: what they sealed is
        still found and opened, and every search needs trapdoors of both. Rotate when a key may be known to somebody;
        epochs end trapdoors by themselves.
      </Text>
      <Checkbox.Group label="Which; none for all" value={kinds} onChange={value => setKinds(value)}>
        <Stack gap={6} mt={6}>
          <Checkbox value="index" label="Searching" />
          <Checkbox value="wrap" label="Opening" />
          <Checkbox value="policy" label="Policies: readers need new keys then" />
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Type “rotate” to confirm"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
    </Dialog>
  )
}
