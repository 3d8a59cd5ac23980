import { z } from 'zod'
import type { EpisodeResult, EpisodeStatus } from './episode.ts'

export const endReasonSchema = z
  .enum([
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
  ])
  .describe(
    'A failed episode has the first reason that applies: `cut_answers` (at least half of its answers), `invalid_actions` (at least half of its actions), `partial_reward`, `no_reward`. A limited episode has the limit.',
  )

export type EndReason = z.infer<typeof endReasonSchema>

const limits: readonly EndReason[] = ['steps', 'turns', 'tokens', 'cost', 'time']

type Ended = Pick<EpisodeResult, 'status' | 'limit' | 'reward' | 'nodes' | 'invalid_actions' | 'answers'>

export function endReason({
  status,
  result,
}: {
  status: EpisodeStatus
  result: Ended | null
}): EndReason | null {
  if (status === 'cancelled') return 'cancelled'
  if (result === null || result.status !== status) return null
  if (status === 'succeeded') return 'solved'
  if (status === 'errored') return 'error'
  if (status === 'limited') return limits.find((limit) => limit === result.limit) ?? null
  const { answers, invalid_actions, nodes, reward } = result
  if (answers && answers.cut > 0 && 2 * answers.cut >= answers.total) return 'cut_answers'
  if (invalid_actions !== null && invalid_actions > 0 && 2 * invalid_actions >= nodes - 1)
    return 'invalid_actions'
  return (reward ?? 0) > 0 ? 'partial_reward' : 'no_reward'
}
