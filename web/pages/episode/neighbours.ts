import { episodeId, episodeIndex } from '../../../shared/core/contracts/episode-id.ts'

export function neighbours(
  id: string,
  total: number | undefined,
): { previous: string | null; next: string | null } {
  const index = episodeIndex(id)
  if (index === null) return { previous: null, next: null }
  return {
    previous: index > 0 ? episodeId(index - 1) : null,
    next: total !== undefined && index + 1 < total ? episodeId(index + 1) : null,
  }
}
