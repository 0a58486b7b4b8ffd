import { Page } from '@/shared/ui/Page'

export default function SavedPage() {
  return <Page title="Saved">–</Page>
}
