import { Page } from '@/shared/ui/Page'

export default function RoutesPage() {
  return <Page title="Routes">–</Page>
}
