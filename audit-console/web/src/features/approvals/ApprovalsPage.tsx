import { Page } from '@/shared/ui/Page'

export default function ApprovalsPage() {
  return <Page title="Approvals">–</Page>
}
