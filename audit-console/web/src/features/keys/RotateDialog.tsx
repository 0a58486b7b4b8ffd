import { useState } from 'react'
import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core'
import { api, take } from '@/shared/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'

type Kind = 'index' | 'wrap' | 'policy'
type Algorithm = 'x25519+ml-kem-768' | 'x25519+frodokem-976'

const ALGORITHMS: { value: Algorithm; label: string }[] = [
  { value: 'x25519+ml-kem-768', label: 'x25519+ml-kem-768: small and fast' },
  { value: 'x25519+frodokem-976', label: 'x25519+frodokem-976: larger, for decades' },
]

export function RotateDialog({ close }: { close: () => void }) {
  const [kinds, setKinds] = useState<Kind[]>([])
  const [algorithm, setAlgorithm] = useState<Algorithm | null>(null)
  const [typed, setTyped] = useState('')
  const rotate = useAction({
    run: () =>
      take(
        api.POST('/api/keys/rotate', {
          body: algorithm ? { wrapAlgorithm: algorithm } : { ...(kinds.length > 0 && { kinds }) },
        }),
      ),
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
      <Checkbox.Group
        label="Which; none for all"
        value={algorithm ? ['wrap', 'policy'] : kinds}
        onChange={value => setKinds(value)}
      >
        <Stack gap={6} mt={6}>
          <Checkbox value="index" label="Searching" disabled={algorithm !== null} />
          <Checkbox value="wrap" label="Opening" disabled={algorithm !== null} />
          <Checkbox value="policy" label="Policies: readers need new keys then" disabled={algorithm !== null} />
        </Stack>
      </Checkbox.Group>
      <Select
        label="Wrap keys with another algorithm from now on"
        description="FrodoKEM rests on lattices without structure: for what must stay secret even if ML-KEM is broken. Readers need new keys."
        placeholder="as now"
        data={ALGORITHMS}
        value={algorithm}
        onChange={value => setAlgorithm(value)}
        clearable
        allowDeselect
      />
      <TextInput
        label="Type “rotate” to confirm"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
    </Dialog>
  )
}
