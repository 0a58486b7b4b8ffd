import { Page } from '@/shared/ui/Page'

export default function SendersPage() {
  return <Page title="Senders">–</Page>
}
