import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { visible } from '@/shared/ui/visible'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Scope, Search } from '@/shared/api/types'
import { count, plural } from '@/shared/ui/format'
import { Ago } from '@/shared/ui/Time'
import { Empty, View } from '@/shared/ui/States'
import { standing } from './progress'
import bar from './ResultBar.module.css'
import css from './HeldSearches.module.css'

interface Props {
  example: (query: string, scope?: Scope) => void
  /** Of the demonstration, where mail is about something urgent. */
  mailbox?: Scope
}

/** Before the first search: what was searched before and is still held. */
export function HeldSearches({ example, mailbox }: Props) {
  const held = useQuery({ queryKey: ['searches'], queryFn: () => take(api.GET('/api/searches')), staleTime: 0 })
  return (
    <div className={css.page}>
      <View
        query={held}
        isEmpty={data => data.length === 0}
        empty={
          <Empty
            title="Search mail and logs that the gateway cannot read"
            action={
              <Group gap="xs" justify="center">
                <Button variant="default" size="xs" onClick={() => example('level:error')}>
                  Try level:error
                </Button>
                {mailbox && (
                  <Button variant="default" size="xs" onClick={() => example('urgent', mailbox)}>
                    Try urgent in the mail to {visible(mailbox.owner ?? mailbox.name)}
                  </Button>
                )}
              </Group>
            }
          >
            Choose a scope and type a query. Each search is authorised, recorded, and shows what the gateway learns from
            it. Only scopes that the rules let you search are offered.
          </Empty>
        }
      >
        {searches => (
          <>
            <Text fw={600} mb="xs">
              Your searches that are still held
            </Text>
            <ul className={css.list}>
              {searches.map(search => (
                <Held key={search.id} search={search} />
              ))}
            </ul>
          </>
        )}
      </View>
    </div>
  )
}

function Held({ search }: { search: Search }) {
  const { tone, title } = standing(search)
  return (
    <li>
      <Link to={`/searches/${search.id}`} className={css.link}>
        <code className={css.query}>{visible(search.query)}</code>
        <span className={css.facts}>
          <span className={bar[tone]}>{title}</span>
          <span>
            {count(search.rows)} {search.rows === 1 ? 'hit' : 'hits'} of {plural(search.envelopes, 'envelope')}
          </span>
          {search.unchecked > 0 && <span className={bar.warn}>{plural(search.unchecked, 'mail')} not checked</span>}
          <span>{visible(search.scope)}</span>
          <Ago at={search.started} />
        </span>
      </Link>
    </li>
  )
}
