import { useState } from 'react'
import { Button, Group, Modal, Text } from '@mantine/core'
import type { Session } from '../api/types'
import { useSessionEnd } from './useSessionEnd'

const minutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Says some time before that the session ends; whoever is there can stay. */
export function SessionEnding({ session, readAt }: { session: Session; readAt: number }) {
  const { left, atLast, stay } = useSessionEnd(session, readAt)
  const [seen, setSeen] = useState(false)
  const close = atLast ? () => setSeen(true) : stay
  return (
    <Modal
      opened={left !== undefined && !(atLast && seen)}
      onClose={close}
      withCloseButton={false}
      closeOnClickOutside={false}
      lockScroll={false}
      title={<span className="dialog-title">Your session is about to end</span>}
      centered
      zIndex={900}
    >
      <Text size="sm">
        {atLast
          ? 'It has lasted as long as a session may, used or not. '
          : 'Nobody clicked or typed here for a while. '}
        In <b data-testid="left">{minutes(left ?? 0)}</b> you are logged out. What was found goes from the screen, and
        from the console; what you typed stays.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={close} data-autofocus>
          {atLast ? 'Go on until then' : 'Stay logged in'}
        </Button>
      </Group>
    </Modal>
  )
}
