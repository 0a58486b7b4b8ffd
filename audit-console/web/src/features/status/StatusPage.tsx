import { Page } from '@/shared/ui/Page'

export default function StatusPage() {
  return <Page title="Status">–</Page>
}
