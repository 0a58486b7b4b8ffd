import { useState } from 'react'
import { Button, Select, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { SenderPage, SenderState } from '@/shared/api/types'
import { CHAIN_STATES, chainLabel } from '@/shared/ui/ChainState'
import { count } from '@/shared/ui/format'
import css from './SenderFilter.module.css'

export type Order = 'name' | 'heard'

export interface Filter {
  text: string
  state: SenderState | ''
  order: Order
}

interface Props {
  filter: Filter
  change: (filter: Filter) => void
  page?: SenderPage
}

const ORDERS: { value: Order; label: string }[] = [
  { value: 'name', label: 'By name' },
  { value: 'heard', label: 'Longest not heard of first' },
]

/** Which senders are shown. Where there is little room, all but the text is folded away. */
export function SenderFilter({ filter, change, page }: Props) {
  const [open, setOpen] = useState(filter.state !== '')
  const number = (state: SenderState) => (page ? ` (${count(page.states[state] ?? 0)})` : '')
  return (
    <div role="search" aria-label="Senders" className={css.bar}>
      <TextInput
        aria-label="Part of a name or fingerprint"
        placeholder="Part of a name or fingerprint"
        className={css.text}
        maxLength={256}
        value={filter.text}
        onChange={event => change({ ...filter, text: event.currentTarget.value })}
      />
      <Button
        variant="default"
        className={css.fold}
        aria-expanded={open}
        aria-controls="sender-filter"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        Filter
      </Button>
      <div id="sender-filter" className={css.more} data-open={open || undefined}>
        <Select
          aria-label="Chain"
          data={[
            { value: '', label: page ? `All (${count(page.total)})` : 'All' },
            ...CHAIN_STATES.map(state => ({ value: state, label: chainLabel(state) + number(state) })),
          ]}
          value={filter.state}
          allowDeselect={false}
          onChange={state => change({ ...filter, state: state ?? '' })}
        />
        <Select
          aria-label="Order"
          data={ORDERS}
          value={filter.order}
          allowDeselect={false}
          onChange={order => change({ ...filter, order: order ?? 'name' })}
        />
      </div>
    </div>
  )
}
