import { useQuery } from '@tanstack/react-query'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import type { Suggestion } from '../../components/schema-fields/schema-fields.tsx'
import { api } from '../../service/api.ts'

export function useLearned(environment: string): Record<string, readonly Suggestion[]> {
  const memories = useQuery({
    queryKey: ['memories', 'to choose from'],
    queryFn: () => api.memories({ limit: 100 }),
  })
  const libraries = useQuery({
    queryKey: ['libraries', 'to choose from'],
    queryFn: () => api.libraries({ limit: 100 }),
  })
  return {
    memory_from: suggest(memories.data?.data ?? [], environment),
    library: suggest(libraries.data?.data ?? [], environment),
  }
}

function suggest(learned: readonly (Memory | Library)[], environment: string): Suggestion[] {
  return learned
    .filter((each) => each.complete && each.environment === environment)
    .map(({ id, method, created_at }) => ({
      value: id,
      label: `${method}, ${new Date(created_at).toLocaleString()}`,
    }))
}
