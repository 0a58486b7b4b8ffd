import { Alert, Button, Text, Title } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { keepDrafts } from '@/shared/auth/drafts'
import { LOGIN } from '@/shared/auth/session'
import { PlainPage } from '@/shared/ui/PlainPage'
import { Mark } from './Mark'

/** Without a session. The form for the password is the provider's, not ours. */
export function Welcome() {
  const { pathname, search } = useLocation()
  const failed = new URLSearchParams(search).get('login') === 'failed'
  return (
    <PlainPage centred>
      <Mark size={52} />
      <Title order={1} size="h2" mt="lg">
        Veilgate audit console
      </Title>
      <Text mt="sm" c="dimmed">
        Search the mail and logs that a gateway stores for you without being able to read them. What you may search and
        open is decided by rules, and every search is recorded.
      </Text>
      {failed && (
        <Alert role="alert" color="red" mt="lg" ta="left" title="You were not logged in">
          The provider refused the login, or it took too long. Try again; if it goes on, tell whoever runs the console.
        </Alert>
      )}
      {pathname !== '/' && (
        <Text mt="lg" size="sm">
          The page that you opened is shown after you have logged in.
        </Text>
      )}
      <Button
        onClick={keepDrafts}
        component="a"
        href={LOGIN}
        size="md"
        mt="xl"
        rightSection={<IconArrowRight size={18} />}
      >
        Log in
      </Button>
    </PlainPage>
  )
}
