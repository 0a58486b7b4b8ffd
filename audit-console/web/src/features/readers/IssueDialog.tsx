import { useState } from 'react'
import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { api, download } from '@/shared/api/client'
import type { Reader } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { useAction } from '@/shared/ui/useAction'
import { visible } from '@/shared/ui/visible'

const EPOCHS = /^\d{4}(-\d{2}){0,2}(\.\.\d{4}(-\d{2}){0,2})?(\s*,\s*\d{4}(-\d{2}){0,2}(\.\.\d{4}(-\d{2}){0,2})?)*$/

/** The key comes as a file under a passphrase that is typed here and kept nowhere. For a reader who has one: the same attributes for other epochs, or others from now on. */
export function IssueDialog({ reader, close }: { reader?: Reader; close: () => void }) {
  const [name, setName] = useState(reader?.name ?? '')
  const [attributes, setAttributes] = useState(reader?.attributes ?? '')
  const [epochs, setEpochs] = useState(new Date().toISOString().slice(0, 7))
  const [search, setSearch] = useState(reader?.searches ?? false)
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const issue = useAction({
    run: () => {
      const body = { name: name.trim(), attributes: attributes.trim(), epochs: epochs.trim(), search, passphrase }
      return download(api.POST('/api/readers/issue', { body, parseAs: 'blob' }), `${name.trim()}.vgr`)
    },
    changes: ['readers'],
    said: file => `Issued: ${file} is among your downloads`,
    then: close,
  })
  const problems = {
    epochs: epochs !== '' && !EPOCHS.test(epochs.trim()) ? 'Such as 2026-11 or 2026-11..2027-01' : undefined,
    passphrase: passphrase !== '' && passphrase.length < 8 ? 'At least 8 characters' : undefined,
    again: again !== '' && again !== passphrase ? 'It is not the same' : undefined,
  }
  const ready =
    name.trim() && attributes.trim() && epochs.trim() && passphrase && again && !Object.values(problems).some(Boolean)
  return (
    <Dialog
      opened
      close={close}
      title={reader ? `Issue ${reader.name} a key again` : 'Issue a key'}
      action="Issue and download"
      disabled={!ready}
      busy={issue.isPending}
      error={issue.error}
      submit={() => issue.mutate()}
    >
      <TextInput
        label="Reader"
        required
        readOnly={reader !== undefined}
        maxLength={255}
        value={name}
        onChange={e => setName(e.currentTarget.value)}
        data-autofocus={reader ? undefined : true}
      />
      <TextInput
        label="Attributes"
        description="Such as role:auditor, site:plant-7, clearance = 5; a policy where keys have policies"
        required
        maxLength={8192}
        value={attributes}
        onChange={e => setAttributes(e.currentTarget.value)}
      />
      <TextInput
        label="Epochs"
        description={reader && `Had keys for ${visible(reader.epochs?.join(', ') ?? 'epochs that are not known here')}`}
        required
        data-autofocus={reader ? true : undefined}
        value={epochs}
        error={problems.epochs}
        onChange={e => setEpochs(e.currentTarget.value)}
      />
      <Checkbox
        label="May search without the console, too"
        description="Where the index is searched by attributes: any word, in every scope that the gateway lets the reader see, in these epochs. No search stands in the log."
        checked={search}
        onChange={e => setSearch(e.currentTarget.checked)}
      />
      <PasswordInput
        label="Passphrase of the file"
        description="Tell it to the reader on another way than the file"
        required
        autoComplete="new-password"
        value={passphrase}
        error={problems.passphrase}
        onChange={e => setPassphrase(e.currentTarget.value)}
      />
      <PasswordInput
        label="Again"
        required
        autoComplete="new-password"
        value={again}
        error={problems.again}
        onChange={e => setAgain(e.currentTarget.value)}
      />
    </Dialog>
  )
}
