import type { EndReason } from '../../../../shared/core/contracts/end-reason.ts'
import type { EpisodeFilter, EpisodeOrder, EpisodeStatus } from '../../../../shared/core/contracts/episode.ts'

export type EpisodeView = EpisodeFilter

export const episodeStatuses = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'limited',
  'errored',
  'cancelled',
] as const satisfies readonly EpisodeStatus[]

const orders = [
  'index',
  'task',
  'reward',
  'steps',
  'nodes',
  'model_calls',
  'tokens',
  'cost',
  'working_seconds',
] as const satisfies readonly EpisodeOrder[]

export const endReasons = [
  'solved',
  'partial_reward',
  'no_reward',
  'invalid_actions',
  'cut_answers',
  'steps',
  'turns',
  'tokens',
  'cost',
  'time',
  'error',
  'cancelled',
] as const satisfies readonly EndReason[]

const longestTask = 200

export function readEpisodeView(query: URLSearchParams): EpisodeView {
  const status = episodeStatuses.find((each) => each === query.get('status'))
  const task = query.get('task')?.trim().slice(0, longestTask) || undefined
  const reason = endReasons.find((each) => each === query.get('reason'))
  const sort = orders.find((each) => each === query.get('sort')) ?? 'index'
  const order = query.get('order') === 'desc' ? 'desc' : 'asc'
  return {
    ...(status !== undefined && { status }),
    ...(task !== undefined && { task }),
    ...(reason !== undefined && { reason }),
    sort,
    order,
  }
}

export function writeEpisodeView(query: URLSearchParams, view: EpisodeView): URLSearchParams {
  const next = new URLSearchParams(query)
  const { reason, status, task, sort, order } = view
  const usual = { reason, status, task: task || undefined, sort: sort === 'index' ? undefined : sort }
  const all = { ...usual, order: order === 'asc' ? undefined : order }
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}

export function isPlain({ reason, status, task, sort, order }: EpisodeView): boolean {
  const isFiltered = reason !== undefined || status !== undefined || task !== undefined
  return !isFiltered && sort === 'index' && order === 'asc'
}

export function sortedBy(view: EpisodeView, sort: EpisodeOrder): EpisodeView {
  if (view.sort === sort) return { ...view, order: view.order === 'asc' ? 'desc' : 'asc' }
  return { ...view, sort, order: sort === 'index' || sort === 'task' ? 'asc' : 'desc' }
}
