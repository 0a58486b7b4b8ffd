import { useState } from 'react'
import { Button } from '@mantine/core'
import { useHasRole } from '@/shared/auth/session'
import { Page } from '@/shared/ui/Page'
import { Indexes } from './Indexes'
import { KeywordRules } from './KeywordRules'
import { RegisterDialog } from './RegisterDialog'
import { SenderList } from './SenderList'
import { Sweep } from './Sweep'
import { Alarms } from './Alarms'

export default function SendersPage() {
  const keeper = useHasRole('keeper')
  const [registering, setRegistering] = useState(false)
  return (
    <Page
      title="Senders"
      lead="Devices and programs that sign what they send, and others that were seen. A registered sender’s messages are numbered and chained, so that gaps show."
      actions={keeper && <Button onClick={() => setRegistering(true)}>Register a sender</Button>}
    >
      <SenderList />
      <KeywordRules />
      {keeper && <Indexes />}
      {keeper && <Sweep />}
      {keeper && <Alarms />}
      {registering && <RegisterDialog close={() => setRegistering(false)} />}
    </Page>
  )
}
