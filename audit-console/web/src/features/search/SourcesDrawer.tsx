import { Badge, Drawer, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import type { Search, SourceChain } from '@/shared/api/types'
import { ChainState, chainMeaning } from '@/shared/ui/ChainState'
import { Ago } from '@/shared/ui/Time'
import { Empty, View } from '@/shared/ui/States'
import { count, plural } from '@/shared/ui/format'
import { visible } from '@/shared/ui/visible'
import css from './SourcesDrawer.module.css'

/** Whether everything that the senders of the hits ever sent is still there. */
export function SourcesDrawer({ search, opened, close }: { search: Search; opened: boolean; close: () => void }) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size={480}
      title={<span className="dialog-title">Chain check of the sources</span>}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <Chains search={search} />}
    </Drawer>
  )
}

export function Chains({ search }: { search: Search }) {
  const chains = useQuery({
    queryKey: ['chains', search.id, search.rows],
    queryFn: ({ signal }) =>
      take(api.GET('/api/searches/{id}/sources', { params: { path: { id: search.id } }, signal })),
  })
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        Registered senders number, chain and sign what they send. So it shows if something between the first and the
        last is missing, was repeated or was altered; for others nothing can be said.
      </Text>
      <View
        query={chains}
        isEmpty={data => data.length === 0}
        empty={<Empty title="No sources yet">Nothing was found so far.</Empty>}
      >
        {data => (
          <>
            <Text fw={600} mb="xs">
              {verdict(data)}
            </Text>
            <ul className={css.list}>
              {data.map(chain => (
                <Chain key={chain.sender} chain={chain} />
              ))}
            </ul>
          </>
        )}
      </View>
    </>
  )
}

export function verdict(chains: SourceChain[]): string {
  const complete = chains.filter(chain => chain.state === 'complete').length
  return complete === chains.length
    ? `${chains.length === 1 ? 'The source is' : `All ${plural(chains.length, 'source')} are`} complete`
    : `${complete} of ${plural(chains.length, 'source')} ${complete === 1 ? 'is' : 'are'} complete`
}

function Chain({ chain }: { chain: SourceChain }) {
  return (
    <li>
      <div className={css.head}>
        <strong>{visible(chain.sender)}</strong>
        <ChainState state={chain.state} />
      </div>
      <Text size="sm" c="dimmed">
        {chainMeaning(chain.state)}
        {chain.last !== undefined && ` Last number ${count(chain.last)}.`} Last seen <Ago at={chain.lastSeen} />.
      </Text>
      {chain.gaps.length > 0 && (
        <div className={css.gaps}>
          {chain.gaps.map(gap => (
            <Badge key={gap} variant="light" color="red" tt="none">
              {visible(gap)}
            </Badge>
          ))}
        </div>
      )}
    </li>
  )
}
