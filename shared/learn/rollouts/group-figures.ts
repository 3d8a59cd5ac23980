import type { GroupSettings } from '../../core/contracts/group-settings.ts'
import type { RolloutGroup } from '../../core/contracts/rollout.ts'
import type { GroupFigures, RolloutFigures } from '../../core/contracts/rollout-figures.ts'
import type { TokenRecord } from '../../core/contracts/token-record.ts'
import type { Attempt } from '../../data/datasets/attempt.ts'
import { readCalls } from '../../insight/inspection/read-calls.ts'

/**
 * The figures of rollouts. Rewards are 0 to 1, variances those of the population, entropies nats a token, and a lag
 * counts policy versions. A missing member is outside all of them. A figure of nothing is null, never 0.
 */
export function figuresOfGroup(
  { index, flat, members, rewards, task }: RolloutGroup,
  {
    records,
    sequence,
    ended_at,
    ...policies
  }: {
    sequence: number
    ended_at: string
    records: readonly TokenRecord[]
  } & Pick<GroupSettings, 'version' | 'policies'>,
): GroupFigures {
  const played = members.flatMap(({ missing, version }) => (missing === null ? [version] : []))
  return {
    sequence,
    index,
    task,
    ended_at,
    reward: rewards?.mean ?? null,
    variance: rewards === null ? null : rewards.std ** 2,
    flat,
    entropy: entropyOf(records.flatMap(({ answers }) => answers.flatMap(({ logprobs }) => logprobs ?? []))),
    lag: lagOf(played, ended_at, policies),
  }
}

/** The token records of the policy's calls: an attempt also has those of its judges and other roles. */
export async function policyRecords(attempt: Pick<Attempt, 'journal' | 'tokens'>): Promise<TokenRecord[]> {
  const records = await attempt.tokens()
  if (records.length === 0) return []
  const asked = readCalls(await attempt.journal()).filter((call) => call.asked === 'policy')
  const keys = new Set(asked.map(({ key }) => key))
  return records.filter(({ call }) => keys.has(call))
}

export function meansOfGroups(groups: readonly GroupFigures[]): Pick<RolloutFigures, 'means' | 'flat_share'> {
  const rewarded = groups.filter(({ reward }) => reward !== null)
  return {
    means: {
      reward: meanOfKnown(groups.map(({ reward }) => reward)),
      variance: meanOfKnown(groups.map(({ variance }) => variance)),
      entropy: meanOfKnown(groups.map(({ entropy }) => entropy)),
      lag: meanOfKnown(groups.map(({ lag }) => lag)),
    },
    flat_share: meanOfKnown(rewarded.map(({ flat }) => (flat ? 1 : 0))),
  }
}

/**
 * An unbiased estimate of the policy's entropy from the log-probabilities of sampled tokens.
 * @param logprobs - natural; null: unknown, and left out
 */
export function entropyOf(logprobs: readonly (number | null)[]): number | null {
  const mean = meanOfKnown(logprobs)
  // No negative zero.
  return mean === null ? null : 0 - mean
}

function lagOf(
  played: readonly (string | null)[],
  endedAt: string,
  { policies, version: newest }: Pick<GroupSettings, 'version' | 'policies'>,
): number | null {
  if (played.length === 0) return null
  const known = policies ?? [{ version: newest, announced_at: endedAt }]
  const announced = known.filter(({ announced_at }) => announced_at <= endedAt).map(({ version }) => version)
  const places = played.map((version) => announced.lastIndexOf(version ?? ''))
  const oldest = Math.min(...places)
  return oldest === -1 ? null : announced.length - 1 - oldest
}

export function meanOfKnown(values: readonly (number | null)[]): number | null {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (value === null) continue
    sum += value
    count += 1
  }
  return count === 0 ? null : sum / count
}
