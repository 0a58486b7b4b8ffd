import {
  Badge,
  Burger,
  Button,
  Code,
  Divider,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { IconChevronDown, IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Session } from '@/shared/api/types'
import { useSession } from '@/shared/auth/session'
import { tellTabs } from '@/shared/auth/tabs'
import { Mark } from './Mark'
import { Foreign } from '@/shared/ui/Foreign'
import { visible } from '@/shared/ui/visible'
import css from './Header.module.css'

export function Header({ openMenu }: { openMenu: () => void }) {
  const session = useSession()
  return (
    <header className={css.header}>
      <Burger className={css.burger} size="sm" onClick={openMenu} aria-label="Open the navigation" />
      <Link to="/" className={css.brand}>
        <Mark />
        <span>Veilgate</span>
      </Link>
      <span className={css.tenant} title="Tenant">
        <Foreign>{session.tenant}</Foreign>
      </span>
      {session.demo && (
        <Badge variant="light" color="grape" size="sm">
          Demo
        </Badge>
      )}
      <span className={css.gap} />
      {session.keysLocked && (
        <Badge
          component={Link}
          to="/keys"
          className={css.locked}
          color="yellow"
          variant="light"
          leftSection={<IconLock size={12} />}
        >
          Keys locked
        </Badge>
      )}
      <UserMenu session={session} />
    </header>
  )
}

function UserMenu({ session }: { session: Session }) {
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          className={css.user}
          leftSection={<IconUserCircle size={20} stroke={1.5} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`${visible(session.name)}: account`}
        >
          <span className={css.name}>
            <Foreign>{session.name}</Foreign>
          </span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <Who session={session} />
        <Divider my={6} />
        <ColourScheme />
        <Divider my={6} />
        <form method="post" action={session.logoutUrl} onSubmit={() => tellTabs('leaving')}>
          <input type="hidden" name="_csrf" value={session.csrf} />
          <Button
            type="submit"
            fullWidth
            variant="subtle"
            color="gray"
            justify="flex-start"
            fw={400}
            leftSection={<IconLogout size={16} />}
          >
            Log out
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function Who({ session }: { session: Session }) {
  return (
    <Stack gap={6} p="xs">
      <Text fw={600} size="sm">
        <Foreign>{session.name}</Foreign>{' '}
        <Text span c="dimmed" fw={400}>
          <Foreign>{session.user}</Foreign>
        </Text>
      </Text>
      <Text size="xs" c="dimmed">
        Roles: {session.roles.join(', ') || 'none'}
      </Text>
      <Text size="xs" c="dimmed">
        Reads by:{' '}
        {session.attributes.length === 0
          ? 'no attributes'
          : session.attributes.map(attribute => (
              <Code key={attribute} className={css.attribute}>
                <Foreign>{attribute}</Foreign>
              </Code>
            ))}
      </Text>
    </Stack>
  )
}

function ColourScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <div className={css.scheme}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Colours"
        value={colorScheme}
        onChange={value => setColorScheme(value)}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'As the system' },
        ]}
      />
    </div>
  )
}
