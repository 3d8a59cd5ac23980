import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { AttemptFacts } from '../attempt.ts'

export function notGoodEnough(
  { reward, status, success }: AttemptFacts,
  least: number | undefined,
): LeftOutReason | null {
  const unsolved = status === 'limited' ? 'limited' : 'failed'
  if (reward === null) return least === undefined ? unsolved : 'no_reward'
  if (least !== undefined) return reward >= least ? null : 'below_min_reward'
  return success ? null : unsolved
}
