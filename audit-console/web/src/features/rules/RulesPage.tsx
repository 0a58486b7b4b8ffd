import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'
import { useHasRole } from '@/shared/auth/session'
import { Page } from '@/shared/ui/Page'
import { View } from '@/shared/ui/States'
import { RuleList } from './RuleList'

export default function RulesPage() {
  const keeper = useHasRole('keeper')
  const rules = useQuery({ queryKey: ['rules'], queryFn: () => take(api.GET('/api/rules')) })
  return (
    <Page
      title="Rules"
      lead="Who may search for what. They are asked from the top, and the first that fits decides; if none fits, the search is refused."
    >
      <View query={rules}>{data => <RuleList served={data} keeper={keeper} reload={() => rules.refetch()} />}</View>
    </Page>
  )
}
