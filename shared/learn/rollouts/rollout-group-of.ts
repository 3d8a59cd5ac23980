import type { z } from 'zod'
import type { Episode } from '../../core/contracts/episode.ts'
import type { groupMemberSchema, missingReasonSchema, RolloutGroup } from '../../core/contracts/rollout.ts'

type Member = z.infer<typeof groupMemberSchema>

/** @param episodes - all of the group, in order, each ended or cancelled */
export function rolloutGroupOf(rollout: string, index: number, episodes: readonly Episode[]): RolloutGroup {
  const members = episodes.map(memberOf)
  const rewards = members.flatMap(({ reward }) => reward ?? [])
  const [first = 0] = rewards
  // Exact for equal rewards, whose sum would be rounded.
  const mean = first + rewards.reduce((sum, reward) => sum + (reward - first), 0) / rewards.length
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length
  return {
    object: 'rollout_group',
    rollout,
    index,
    task: episodes[0]?.task ?? '',
    status: rewards.length === members.length ? 'complete' : 'incomplete',
    members,
    versions: [...new Set(members.flatMap(({ version }) => version ?? []))],
    rewards: rewards.length === 0 ? null : { mean, std: Math.sqrt(variance) },
    flat: new Set(rewards).size <= 1,
  }
}

function memberOf({ id, policy, result, status }: Episode): Member {
  const reward = result?.reward ?? null
  const missing = reward === null ? whyMissing(status, result?.limit ?? null) : null
  const detail = result?.error?.message ?? (missing === null ? null : (result?.limit ?? null))
  return { episode: id, reward, missing, detail, version: policy ?? null }
}

function whyMissing(status: Episode['status'], limit: string | null): z.infer<typeof missingReasonSchema> {
  if (status === 'errored') return 'errored'
  if (status === 'limited') return limit === 'time' ? 'timed_out' : 'cut'
  if (status === 'cancelled') return 'cancelled'
  // An episode that ended without a reward plays no task, and rollouts have none.
  throw new Error(`An episode of a finished group is ${status} and has no reward.`)
}
