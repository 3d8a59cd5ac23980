import type { Episode, EpisodeFilter } from '../../contracts/episode.ts'

export interface EpisodePosition {
  key: number | string | null
  index: number
}

export type EpisodeOrdering = Pick<EpisodeFilter, 'sort' | 'order'>

export function positionOf(
  episode: Pick<Episode, 'index' | 'task' | 'result'>,
  { sort }: Pick<EpisodeOrdering, 'sort'>,
): EpisodePosition {
  return { key: keyOf(episode, sort), index: episode.index }
}

/**
 * Orders positions by their figure in the requested direction, those without one last in either, ties by index. No
 * two episodes are equal, so a page can continue after any of them.
 */
export function comparePositions(
  left: EpisodePosition,
  right: EpisodePosition,
  { order }: Pick<EpisodeOrdering, 'order'>,
): number {
  if (left.key === right.key) return left.index - right.index
  if (left.key === null) return 1
  if (right.key === null) return -1
  return (left.key < right.key ? -1 : 1) * (order === 'asc' ? 1 : -1)
}

function keyOf(
  episode: Pick<Episode, 'index' | 'task' | 'result'>,
  sort: EpisodeFilter['sort'],
): number | string | null {
  return sort === 'task' ? episode.task : sort === 'index' ? episode.index : figureOf(episode, sort)
}

export type EpisodeFigure = Exclude<EpisodeFilter['sort'], 'index' | 'task'>

export function figureOf({ result }: Pick<Episode, 'result'>, figure: EpisodeFigure): number | null {
  switch (figure) {
    case 'model_calls':
      return result?.usage.model_calls ?? null
    case 'tokens':
      return result && result.usage.input_tokens + result.usage.output_tokens
    case 'cost':
      return result?.usage.cost ?? null
    default:
      return result?.[figure] ?? null
  }
}
