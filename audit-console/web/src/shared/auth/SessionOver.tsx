import { useSyncExternalStore } from 'react'
import { Button, Group, Modal, Text } from '@mantine/core'
import { keepDrafts } from './drafts'
import { LOGIN } from './session'
import { sessionState } from './sessionState'

/** Instead of the page, wherever a 401 came from: nothing that was read stays below it. */
export function SessionOver({ go = (url: string) => window.location.assign(url) }: { go?: (url: string) => void }) {
  const over = useSyncExternalStore(sessionState.subscribe, sessionState.isOver)
  const logIn = () => {
    keepDrafts()
    go(LOGIN)
  }
  return (
    <Modal
      opened={over}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      lockScroll={false}
      title={<span className="dialog-title">Your session is over</span>}
      centered
      zIndex={1000}
    >
      <Text size="sm">
        You were logged out, or were away for too long. What was found is gone from here and from the console; nothing
        that you typed is lost: it is here again after you have logged in.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={logIn} data-autofocus>
          Log in again
        </Button>
      </Group>
    </Modal>
  )
}
