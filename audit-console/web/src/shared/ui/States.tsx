import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Alert, Button, Center, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconInbox, IconLock, IconPlugConnectedX, IconShieldX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { ApiError, explain } from '../api/problem'
import { useHasRole } from '../auth/session'
import { Foreign } from './Foreign'
import { visible } from './visible'

/** Something is on its way. Its place is kept, so that nothing jumps when it comes. */
export function Loading({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <Stack gap="sm" role="status" aria-label={label} aria-busy="true" data-state="loading">
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} height={i === 0 ? 20 : 36} width={i === 0 ? '30%' : '100%'} />
      ))}
    </Stack>
  )
}

/** There is nothing, and that is the answer. Never shown for an error. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={48} px="md" data-state="empty">
      <Stack align="center" gap="xs" maw={460}>
        <ThemeIcon variant="light" color="gray" size={48} radius="xl">
          <IconInbox size={24} stroke={1.5} aria-hidden />
        </ThemeIcon>
        <Text fw={600} ta="center">
          {title}
        </Text>
        {children && (
          <Text c="dimmed" size="sm" ta="center" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

function iconOf(error: unknown) {
  const status = error instanceof ApiError ? error.status : -1
  const Icon =
    status === 423
      ? IconLock
      : status === 502 || status === 0
        ? IconPlugConnectedX
        : status === 403
          ? IconShieldX
          : IconAlertTriangle
  return <Icon size={20} aria-hidden />
}

/** What went wrong, and what to do about it. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, what, todo } = explain(error)
  const keeper = useHasRole('keeper')
  const locked = error instanceof ApiError && error.status === 423
  const waiting = locked || (error instanceof ApiError && error.status === 403)
  return (
    <Alert
      role="alert"
      color={waiting ? 'yellow' : 'red'}
      icon={iconOf(error)}
      title={visible(title)}
      data-state="error"
    >
      <Text size="sm">
        <Foreign>{what}</Foreign>
      </Text>
      {todo && todo !== what && (
        <Text size="sm" mt={4} c="dimmed">
          <Foreign>{todo}</Foreign>
        </Text>
      )}
      {(retry || (locked && keeper)) && (
        <Group mt="sm" gap="xs">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {locked && keeper && (
            <Button size="xs" variant="default" component={Link} to="/keys">
              Open Keys
            </Button>
          )}
        </Group>
      )}
    </Alert>
  )
}

interface Props<T> {
  query: UseQueryResult<T>
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  loading?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * The four states of a view. Data that are there stay on the screen when reading them again fails, with the error above them: so it is seen that they are old.
 */
export function View<T>({ query, isEmpty, empty, loading, children }: Props<T>) {
  if (query.data === undefined) {
    if (query.error) {
      return <Failure error={query.error} retry={() => void query.refetch()} />
    }
    return loading ?? <Loading />
  }
  return (
    <>
      {query.error && (
        <Stack mb="md" gap="xs">
          <Failure error={query.error} retry={() => void query.refetch()} />
          <Text size="sm" c="dimmed">
            What you see below is as it was before.
          </Text>
        </Stack>
      )}
      {isEmpty?.(query.data) ? empty : <div data-state="data">{children(query.data)}</div>}
    </>
  )
}
