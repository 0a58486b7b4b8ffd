import { useState, type FormEvent } from 'react'
import { Button, PasswordInput, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { api, take } from '@/shared/api/client'
import { ApiError } from '@/shared/api/problem'
import type { Keys } from '@/shared/api/types'
import { Failure } from '@/shared/ui/States'
import { useAction } from '@/shared/ui/useAction'
import { visible } from '@/shared/ui/visible'
import css from './Keys.module.css'

/** The passphrase is held in this field only, and taken out of it when it was sent. */
export function Unlock({ keys }: { keys: Keys }) {
  const [passphrase, setPassphrase] = useState('')
  const unlock = useAction({
    run: () => take(api.POST('/api/keys/unlock', { body: { passphrase } })),
    changes: ['keys', 'session', 'scopes', 'check'],
    said: () => 'The keys are open',
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    unlock.mutate(undefined, { onSettled: () => setPassphrase('') })
  }
  const wrong = unlock.error instanceof ApiError && unlock.error.status === 403
  return (
    <form className={`card ${css.unlock}`} onSubmit={submit}>
      <IconLock size={28} stroke={1.5} aria-hidden />
      <Title order={2} size="h4">
        {keys.tenant ? `The keys of ${visible(keys.tenant)} are locked` : 'The keys are locked'}
      </Title>
      <Text size="sm" c="dimmed">
        Until they are open nobody can search or read. Opening them takes a second or two: the passphrase is stretched
        on purpose.
      </Text>
      <PasswordInput
        label="Passphrase of the key store"
        autoComplete="off"
        value={passphrase}
        maxLength={1024}
        error={wrong ? 'This is not the passphrase' : undefined}
        onChange={event => setPassphrase(event.currentTarget.value)}
        data-autofocus
      />
      {unlock.error && !wrong && <Failure error={unlock.error} />}
      <Button type="submit" loading={unlock.isPending} disabled={passphrase === ''}>
        Open the keys
      </Button>
    </form>
  )
}
