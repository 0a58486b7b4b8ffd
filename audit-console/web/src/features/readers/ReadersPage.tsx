import { Page } from '@/shared/ui/Page'

export default function ReadersPage() {
  return <Page title="Readers">–</Page>
}
