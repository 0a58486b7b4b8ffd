import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import type { Signer } from '@/shared/api/types'
import { SIGNERS, signerHint, signerName, signersList } from '@/shared/ui/signers'
import css from './TimePicker.module.css'

interface Props {
  value: readonly Signer[]
  onChange: (value: Signer[]) => void
}

/** By whom the mails are signed that are looked for. */
export function SignerPicker({ value, onChange }: Props) {
  const said = value.length === 0 ? 'anybody' : signersList(value)
  return (
    <Popover position="bottom-end" shadow="md" trapFocus withinPortal width={330}>
      <Popover.Target>
        <Button
          variant={value.length === 0 ? 'default' : 'light'}
          className={css.target}
          leftSection={<IconSignature size={16} stroke={1.6} />}
          aria-label={`Signed by: ${said}`}
        >
          <span className={css.text}>{value.length === 0 ? 'Signed by anybody' : `Signed by ${said}`}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group
          label="Signed by"
          description="The console finds out when it opens a mail; the gateway is not asked for it. None chosen: all."
          value={[...value]}
          onChange={chosen => onChange(SIGNERS.filter(signer => chosen.includes(signer)))}
        >
          <Stack gap={8} mt={10}>
            {SIGNERS.map(signer => (
              <Checkbox
                key={signer}
                size="sm"
                value={signer}
                label={signerName(signer)}
                description={signerHint(signer)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
