import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/shared/api/client'

export function useScopes() {
  return useQuery({ queryKey: ['scopes'], queryFn: () => take(api.GET('/api/scopes')), staleTime: 60_000 })
}
