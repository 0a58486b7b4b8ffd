import { Page } from '@/shared/ui/Page'

export default function LeakagePage() {
  return <Page title="Leakage">–</Page>
}
