import { Page } from '@/shared/ui/Page'

export default function RulesPage() {
  return <Page title="Rules">–</Page>
}
