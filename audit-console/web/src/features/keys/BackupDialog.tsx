import { useState } from 'react'
import { Group, NumberInput, PasswordInput, Text } from '@mantine/core'
import { api, download } from '@/shared/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'

export function BackupDialog({ tenant, close }: { tenant: string; close: () => void }) {
  const [shares, setShares] = useState<number | ''>(5)
  const [threshold, setThreshold] = useState<number | ''>(3)
  const [passphrase, setPassphrase] = useState('')
  const backup = useAction({
    run: () => {
      const body = { shares: Number(shares), threshold: Number(threshold), passphrase }
      return download(api.POST('/api/keys/backup', { body, parseAs: 'blob' }), `${tenant}-keys.zip`)
    },
    said: file => `${file} is among your downloads`,
    then: close,
  })
  const problem = problemOf(shares, threshold)
  return (
    <Dialog
      opened
      close={close}
      title="Back up the keys"
      action="Make and download"
      disabled={problem !== undefined || passphrase === ''}
      busy={backup.isPending}
      error={backup.error}
      submit={() => backup.mutate(undefined, { onSettled: () => setPassphrase('') })}
    >
      <Text size="sm">
        A ZIP with the sealed key store and the shares of the key that opens it, a file each. Give every share to
        another person, delete this file then, and keep the key store where it is safe: it is of no use without enough
        shares.
      </Text>
      <Group grow align="flex-start">
        <NumberInput
          label="Shares"
          min={2}
          max={16}
          allowDecimal={false}
          value={shares}
          onChange={v => setShares(v === '' ? '' : Number(v))}
          data-autofocus
        />
        <NumberInput
          label="Needed to open"
          min={2}
          max={16}
          allowDecimal={false}
          value={threshold}
          error={problem}
          onChange={v => setThreshold(v === '' ? '' : Number(v))}
        />
      </Group>
      <PasswordInput
        label="Passphrase of the key store"
        description="All keys are in the backup: being logged in is not enough to take them away."
        autoComplete="off"
        maxLength={1024}
        value={passphrase}
        onChange={event => setPassphrase(event.currentTarget.value)}
      />
      {problem === undefined && (
        <Text size="sm" c="dimmed">
          Any {threshold} of {shares} persons together open it; {Number(threshold) - 1} cannot.{' '}
          {Number(shares) - Number(threshold)} shares may be lost.
        </Text>
      )}
    </Dialog>
  )
}

export function problemOf(shares: number | '', threshold: number | ''): string | undefined {
  if (shares === '' || threshold === '' || shares < 2 || shares > 16 || threshold < 2) {
    return '2 to 16 shares, of which 2 or more are needed'
  }
  return threshold > shares ? 'Not more than there are shares' : undefined
}
