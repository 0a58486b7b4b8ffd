import { useState, type ReactNode } from 'react'
import { Button, Text } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { Dialog } from './Dialog'
import { visible } from './visible'

interface Props<O> {
  label: string
  /** For screen readers, where the label alone says too little. */
  of?: string
  title: string
  action: UseMutationResult<O, Error, void>
  children: ReactNode
}

/** A button for what cannot be undone: asks first, and says what it would do. */
export function ConfirmButton<O>({ label, of, title, action, children }: Props<O>) {
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    action.reset()
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={() => setOpen(true)}
        aria-label={of ? `${label} ${visible(of)}` : undefined}
      >
        {label}
      </Button>
      <Dialog
        opened={open}
        close={close}
        title={title}
        action={label}
        color="red"
        busy={action.isPending}
        error={action.error}
        submit={() => action.mutate(undefined, { onSuccess: close })}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
      </Dialog>
    </>
  )
}
