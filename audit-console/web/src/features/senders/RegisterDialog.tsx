import { useState } from 'react'
import { Checkbox, Textarea } from '@mantine/core'
import { api, take } from '@/shared/api/client'
import { ApiError } from '@/shared/api/problem'
import { takeDraft, useDraft } from '@/shared/auth/drafts'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'

export function RegisterDialog({ close }: { close: () => void }) {
  const [publicKey, setPublicKey] = useState(() => takeDraft<string>('sender') ?? '')
  const [replace, setReplace] = useState(false)
  useDraft('sender', publicKey)
  const register = useAction({
    run: () => take(api.POST('/api/senders', { body: { publicKey: publicKey.trim(), ...(replace && { replace }) } })),
    changes: ['senders'],
    said: sender => `${sender.name} is registered; senders learn of it with the next bundle`,
    then: close,
  })
  const taken = register.error instanceof ApiError && register.error.status === 409
  return (
    <Dialog
      opened
      close={close}
      title="Register a sender"
      action={replace ? 'Replace its key' : 'Register'}
      color={replace ? 'red' : undefined}
      disabled={publicKey.trim() === ''}
      busy={register.isPending}
      error={register.error}
      submit={() => register.mutate()}
    >
      <Textarea
        label="Public key"
        description="What “veilgate identity show” prints on the device. Compare the fingerprint with the device afterwards."
        required
        autosize
        minRows={5}
        maxRows={12}
        maxLength={20_000}
        value={publicKey}
        onChange={event => setPublicKey(event.currentTarget.value)}
        data-autofocus
        spellCheck={false}
      />
      {(taken || replace) && (
        <Checkbox
          label="Put it in place of the key that is there"
          description="Only if you know that the device was set up anew: otherwise somebody else may be sending in its name"
          checked={replace}
          onChange={event => setReplace(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}
