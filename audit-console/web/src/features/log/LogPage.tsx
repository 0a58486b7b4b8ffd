import { Page } from '@/shared/ui/Page'

export default function LogPage() {
  return <Page title="Log">–</Page>
}
