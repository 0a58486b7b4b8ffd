import { Page } from '@/shared/ui/Page'

export default function KeysPage() {
  return <Page title="Keys">–</Page>
}
