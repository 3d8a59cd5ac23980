import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { AttemptFacts } from '../attempt.ts'

/**
 * The reason why an attempt's own result is not good enough to imitate.
 *
 * @param least - the minimum reward; undefined: any success, by the environment's threshold
 * @returns null if it is good enough
 */
export function notGoodEnough(
  { reward, status, success }: AttemptFacts,
  least: number | undefined,
): LeftOutReason | null {
  const unsolved = status === 'limited' ? 'limited' : 'failed'
  if (reward === null) return least === undefined ? unsolved : 'no_reward'
  if (least !== undefined) return reward >= least ? null : 'below_min_reward'
  return success ? null : unsolved
}
