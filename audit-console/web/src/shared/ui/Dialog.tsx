import type { FormEvent, ReactNode } from 'react'
import { Button, Modal, Stack, type MantineColor } from '@mantine/core'
import { DialogFooter } from './DialogFooter'
import { Failure } from './States'
import { Foreign } from './Foreign'

interface Props {
  opened: boolean
  close: () => void
  /** May name what others named. */
  title: string
  action: string
  color?: MantineColor
  disabled?: boolean
  busy?: boolean
  error?: unknown
  submit: () => void
  size?: number
  children: ReactNode
}

/** A dialog with one thing to do; what goes wrong is said inside it, with what was typed still there. */
export function Dialog({
  opened,
  close,
  title,
  action,
  color,
  disabled,
  busy,
  error,
  submit,
  size = 520,
  children,
}: Props) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled && !busy) {
      submit()
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={
        <span className="dialog-title">
          <Foreign>{title}</Foreign>
        </span>
      }
      size={size}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {children}
          {error ? <Failure error={error} /> : null}
          <DialogFooter>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color={color} loading={busy} disabled={disabled}>
              {action}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  )
}
