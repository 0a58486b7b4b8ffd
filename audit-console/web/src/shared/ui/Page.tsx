import { useEffect, type ReactNode } from 'react'
import { Group, Text, Title } from '@mantine/core'
import css from './Page.module.css'

interface Props {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page under a heading; the search has a frame of its own. */
export function Page({ title, lead, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Veilgate`
  }, [title])
  return (
    <div className={css.page}>
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <div className={css.heading}>
          <Title order={1} size="h3">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  )
}
