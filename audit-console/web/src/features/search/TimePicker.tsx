import { useState } from 'react'
import { Button, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { describe, PRESETS, problemOf, resolve, toLocalInput, type TimeRange } from './time'
import css from './TimePicker.module.css'

interface Props {
  value: TimeRange
  onChange: (value: TimeRange) => void
}

export function TimePicker({ value, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const choose = (time: TimeRange) => {
    onChange(time)
    setOpen(false)
  }
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          className={css.target}
          leftSection={<IconClock size={16} stroke={1.6} />}
          onClick={() => setOpen(o => !o)}
          aria-label={`Time: ${describe(value)}`}
        >
          <span className={css.text}>{describe(value)}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className={css.panel}>
          <Stack gap={2} className={css.presets}>
            {PRESETS.map(preset => (
              <Button
                key={preset.minutes}
                size="compact-sm"
                justify="flex-start"
                variant={value.kind === 'relative' && value.minutes === preset.minutes ? 'light' : 'subtle'}
                color={value.kind === 'relative' && value.minutes === preset.minutes ? undefined : 'gray'}
                onClick={() => choose({ kind: 'relative', minutes: preset.minutes })}
              >
                {preset.label}
              </Button>
            ))}
            <Button
              size="compact-sm"
              justify="flex-start"
              variant={value.kind === 'epoch' ? 'light' : 'subtle'}
              color={value.kind === 'epoch' ? undefined : 'gray'}
              onClick={() => choose({ kind: 'epoch' })}
            >
              All of this epoch
            </Button>
          </Stack>
          <Absolute value={value} choose={choose} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Absolute({ value, choose }: { value: TimeRange; choose: (time: TimeRange) => void }) {
  const [first] = useState(() => {
    const now = resolve(value.kind === 'epoch' ? { kind: 'relative', minutes: 24 * 60 } : value)
    return { from: toLocalInput(now.from ?? '', 'from'), to: toLocalInput(now.to ?? '', 'to') }
  })
  const [from, setFrom] = useState(first.from)
  const [to, setTo] = useState(first.to)
  // The fields have whole minutes, and an hour of autumn twice: what nobody changed stays what it was.
  const isSame = value.kind === 'absolute' && from === first.from && to === first.to
  const problem = isSame ? undefined : problemOf(from, to)
  return (
    <form
      className={css.absolute}
      onSubmit={event => {
        event.preventDefault()
        if (!problem) {
          choose(
            isSame ? value : { kind: 'absolute', from: new Date(from).toISOString(), to: new Date(to).toISOString() },
          )
        }
      }}
    >
      <Text fw={600} size="sm">
        From and to
      </Text>
      <TextInput
        size="xs"
        type="datetime-local"
        label="From"
        value={from}
        onChange={e => setFrom(e.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="datetime-local"
        label="To"
        value={to}
        onChange={e => setTo(e.currentTarget.value)}
        error={problem}
      />
      <Text size="xs" c="dimmed">
        In your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}; the second time itself is not in it. What
        counts is the time that a line names, or the Date of a mail. One that names none, a later one, or one more than
        30 days earlier, counts by when it was read or sealed.
      </Text>
      <Button type="submit" size="xs" disabled={problem !== undefined}>
        Use this time
      </Button>
    </form>
  )
}
