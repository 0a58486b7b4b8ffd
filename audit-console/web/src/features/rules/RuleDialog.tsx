import { useState } from 'react'
import {
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import type { Role, Rule } from '@/shared/api/types'
import { Dialog } from '@/shared/ui/Dialog'
import { cleaned, problemsOf } from './ruleForm'
import { goneRound, summary } from './summary'
import css from './Rules.module.css'

interface Props {
  rule: Rule
  others: string[]
  close: () => void
  put: (rule: Rule) => void
}

const ROLES: Role[] = ['auditor', 'approver', 'keeper', 'operator']

/** All that a rule can say, with what it means below. It is put into the list; saving the list is another step. */
export function RuleDialog({ rule: before, others, close, put }: Props) {
  const [rule, setRule] = useState<Rule>(before)
  const set = (part: Partial<Rule>) => setRule(old => ({ ...old, ...part }))
  const problems = problemsOf(rule, others)
  const number = (value: string | number) => (value === '' ? undefined : Number(value))
  return (
    <Dialog
      opened
      close={close}
      size={680}
      title={before.name === '' ? 'Add a rule' : `Edit ${before.name}`}
      action="Put into the list"
      disabled={Object.values(problems).some(Boolean)}
      submit={() => put(cleaned(rule))}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        value={rule.name}
        error={rule.name === '' ? undefined : problems.name}
        onChange={e => set({ name: e.currentTarget.value })}
        data-autofocus
      />
      <SegmentedControl
        aria-label="Effect"
        value={rule.effect}
        onChange={effect => set({ effect })}
        data={[
          { value: 'allow', label: 'Allow' },
          { value: 'approve', label: 'With approval' },
          { value: 'refuse', label: 'Refuse' },
        ]}
      />
      <Who rule={rule} set={set} />
      <What rule={rule} set={set} />
      <Fieldset legend={<span className="legend">Limits</span>} variant="unstyled">
        <Group grow align="flex-end" gap="sm">
          <NumberInput
            label="Epochs back"
            placeholder="Any"
            min={0}
            allowDecimal={false}
            value={rule.epochsBack ?? ''}
            onChange={v => set({ epochsBack: number(v) })}
          />
          <NumberInput
            label="Times an hour"
            placeholder="Any"
            min={1}
            allowDecimal={false}
            value={rule.perHour ?? ''}
            onChange={v => set({ perHour: number(v) })}
          />
          {rule.effect === 'approve' && (
            <NumberInput
              label="Approval holds, hours"
              placeholder="24"
              min={1}
              max={720}
              allowDecimal={false}
              value={rule.approvalHours ?? ''}
              error={problems.approvalHours}
              onChange={v => set({ approvalHours: number(v) })}
            />
          )}
        </Group>
      </Fieldset>
      <Checkbox
        label="Seal the keywords in the log"
        description="Who reads the log sees that something was searched, and only keepers what"
        checked={rule.hideKeywords ?? false}
        onChange={e => set({ hideKeywords: e.currentTarget.checked })}
      />
      <div className={css.preview}>
        <Text size="xs" c="dimmed">
          In plain words
        </Text>
        <Text size="sm" data-testid="summary">
          {summary(cleaned(rule))}
        </Text>
        {goneRound(cleaned(rule)) !== '' && (
          <Text size="sm" mt={4} className={css.goneRound}>
            {goneRound(cleaned(rule))}
          </Text>
        )}
      </div>
    </Dialog>
  )
}

interface PartProps {
  rule: Rule
  set: (part: Partial<Rule>) => void
}

function Who({ rule, set }: PartProps) {
  return (
    <Fieldset legend={<span className="legend">Who</span>} variant="unstyled">
      <Stack gap="sm">
        <Checkbox.Group
          label="Any of these roles; none for everybody"
          value={rule.roles ?? []}
          onChange={roles => set({ roles })}
        >
          <Group gap="md" mt={6}>
            {ROLES.map(role => (
              <Checkbox key={role} value={role} label={role} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          label="Whose attributes satisfy"
          placeholder="role:dpo OR (role:auditor AND site:plant-7)"
          value={rule.attributes ?? ''}
          onChange={e => set({ attributes: e.currentTarget.value })}
        />
      </Stack>
    </Fieldset>
  )
}

function What({ rule, set }: PartProps) {
  return (
    <Fieldset legend={<span className="legend">What</span>} variant="unstyled">
      <Stack gap="sm">
        <Checkbox.Group
          label="To do; none for both"
          value={rule.purposes ?? []}
          onChange={purposes => set({ purposes })}
        >
          <Group gap="md" mt={6}>
            <Checkbox value="search" label="search" />
            <Checkbox value="route" label="standing route" />
          </Group>
        </Checkbox.Group>
        <TagsInput
          label="Scopes"
          description="* stands for any characters; none for all"
          placeholder="plant-*"
          value={rule.scopes ?? []}
          onChange={scopes => set({ scopes })}
        />
        <Group grow align="flex-start" gap="sm">
          <TagsInput
            label="Fields"
            description="“word” for text without a field; none for all"
            data={['word', 'level', 'unit', 'host', 'from', 'to', 'subject']}
            value={rule.fields ?? []}
            onChange={fields => set({ fields })}
          />
          <TagsInput
            label="Values"
            description="* stands for any characters; none for all"
            placeholder="salary*"
            value={rule.values ?? []}
            onChange={values => set({ values })}
          />
        </Group>
      </Stack>
    </Fieldset>
  )
}
