import { useState } from 'react'
import { Badge, Button, Group, Text } from '@mantine/core'
import { IconDownload, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, done, take } from '@/shared/api/client'
import type { Keys } from '@/shared/api/types'
import { ConfirmButton } from '@/shared/ui/ConfirmButton'
import { CopyIcon } from '@/shared/ui/Copy'
import { DataTable } from '@/shared/ui/DataTable'
import { count, stamp } from '@/shared/ui/format'
import { Page } from '@/shared/ui/Page'
import { Empty, View } from '@/shared/ui/States'
import { Ago } from '@/shared/ui/Time'
import { useAction } from '@/shared/ui/useAction'
import { BackupDialog } from './BackupDialog'
import { RotateDialog } from './RotateDialog'
import { RulesOfKeywords } from './RulesOfKeywords'
import { Unlock } from './Unlock'
import { Foreign } from '@/shared/ui/Foreign'
import css from './Keys.module.css'

export default function KeysPage() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => take(api.GET('/api/keys')) })
  return (
    <Page title="Keys" lead="The tenant’s keys live here and nowhere else. No page shows anything secret of them.">
      <View query={keys}>{data => (data.locked ? <Unlock keys={data} /> : <Open keys={data} />)}</View>
    </Page>
  )
}

function Open({ keys }: { keys: Keys }) {
  const [dialog, setDialog] = useState<'rotate' | 'backup'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Facts keys={keys} />
      <Group gap="xs" mt="md" mb="lg">
        <Button variant="default" onClick={() => setDialog('rotate')}>
          Rotate keys
        </Button>
        <Button variant="default" onClick={() => setDialog('backup')}>
          Back up
        </Button>
        <Button variant="default" component="a" href="/bundle" download leftSection={<IconDownload size={16} />}>
          Public bundle
        </Button>
        <Lock />
      </Group>
      {keys.keys.length === 0 ? (
        <Empty title="There are no keys yet">They are made when the console is set up.</Empty>
      ) : (
        <DataTable
          label="Keys"
          items={[...keys.keys].sort((a, b) => Number(b.current) - Number(a.current))}
          keyOf={key => key.id}
          columns={[
            { name: 'For', cell: key => <strong>{MEANINGS[key.kind] ?? 'Searching'}</strong> },
            {
              name: 'Parameters',
              wide: true,
              cell: key => (key.kind in MEANINGS ? key.parameters : `${key.kind}, ${key.parameters}`),
            },
            {
              name: 'Id',
              cell: key => (
                <code>
                  <Foreign>{key.id}</Foreign>
                </code>
              ),
            },
            { name: 'Made', cell: key => <Ago at={key.created} /> },
            {
              name: 'Use',
              cell: key => (
                <Badge variant="light" color={key.current ? 'green' : 'gray'} tt="none">
                  {key.current ? 'In use' : 'Older, still opens'}
                </Badge>
              ),
            },
          ]}
        />
      )}
      <RulesOfKeywords />
      {dialog === 'rotate' && <RotateDialog close={close} />}
      {dialog === 'backup' && <BackupDialog tenant={keys.tenant} close={close} />}
    </>
  )
}

/** A key for searching has its scheme's name instead. */
const MEANINGS: Record<string, string> = { wrap: 'Opening', policy: 'Policies' }
const EPOCHS: Record<string, string> = { daily: 'a day each', monthly: 'a month each', yearly: 'a year each' }

function Facts({ keys }: { keys: Keys }) {
  return (
    <dl className={`card ${css.facts}`}>
      <div>
        <dt>Tenant</dt>
        <dd>
          <Foreign>{keys.tenant}</Foreign>
        </dd>
      </div>
      <div className={css.wide}>
        <dt>Fingerprint of the authority, which senders pin</dt>
        <dd>
          <code>
            <Foreign>{keys.authority ?? '–'}</Foreign>
          </code>{' '}
          {keys.authority && <CopyIcon text={keys.authority} what="the fingerprint" />}
        </dd>
      </div>
      <div className={css.wide}>
        <dt>Signatures on bundles and heads of the log</dt>
        <dd>
          <Foreign>{keys.signatures.join(', ') || '–'}</Foreign>
        </dd>
      </div>
      <div>
        <dt>Epoch</dt>
        <dd>
          <Foreign>{keys.epoch ?? '–'}</Foreign>, {EPOCHS[keys.epochs ?? '']}
        </dd>
      </div>
      <div>
        <dt>Bundle</dt>
        <dd>
          no. {keys.bundleSerial ?? '–'}, expires{' '}
          <span title={stamp(keys.bundleExpires)}>{stamp(keys.bundleExpires).slice(0, 10)}</span>
        </dd>
      </div>
      <div>
        <dt>Trapdoors issued</dt>
        <dd className="nums">{keys.trapdoors === undefined ? '–' : count(keys.trapdoors)}</dd>
      </div>
    </dl>
  )
}

function Lock() {
  const lock = useAction({
    run: () => done(api.POST('/api/keys/lock')),
    changes: ['keys', 'session'],
    said: () => 'The keys are locked',
  })
  return (
    <Group gap={4}>
      <IconLock size={16} aria-hidden />
      <ConfirmButton label="Lock" of="the keys" title="Lock the keys?" action={lock}>
        <Text size="sm">
          The keys are erased from the console’s memory. Nobody can search or read until a keeper opens them again with
          the passphrase; searches that run are broken off.
        </Text>
      </ConfirmButton>
    </Group>
  )
}
