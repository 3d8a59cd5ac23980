import type { Loop, LoopRequest, RoundOutcome } from '../../core/contracts/loop.ts'
import type { LoopDifference } from '../../core/contracts/loop-report.ts'
import { writePValue } from '../../core/contracts/p-value.ts'
import { compareEvaluations } from './compare-evaluations.ts'
import type { LoopPorts } from './loop-ports.ts'
import { currentRound } from './loop-state.ts'

/** Two-sided, to match intervals of 95 %. */
const level = 0.05

/**
 * Promotes a round's model only if the paired interval of the metric against the best so far lies above 0, and the one
 * against the control too, unless the request says otherwise. The intervals are over the test tasks, which chose no
 * checkpoint.
 */
export async function judgeRound(
  parts: Pick<LoopPorts, 'reports' | 'runs'>,
  loop: Pick<Loop, 'best' | 'control' | 'request' | 'rounds'>,
): Promise<RoundOutcome> {
  const { evaluation, round } = currentRound(loop)
  const against = loop.best?.round ?? 0
  const baseline = loop.rounds[against]?.evaluation ?? null
  if (evaluation === null || baseline === null) throw new Error(`Round ${round} has not been evaluated.`)
  const difference = await compareEvaluations(parts, loop.request, { run: evaluation, baseline })
  const { metric, promote_over = 'control' } = loop.request
  const overBest = decide(difference, metric, `round ${against}`)
  const control = promote_over === 'control' ? (loop.control?.evaluation ?? null) : null
  const outcome = { against, difference: difference[metric], refused: difference.refused, ...overBest }
  if (control === null) return outcome
  const beside = await compareEvaluations(parts, loop.request, { run: evaluation, baseline: control })
  const outcomeOver = { ...outcome, over_control: beside[metric], refused: outcome.refused ?? beside.refused }
  if (!overBest.promoted) return outcomeOver
  const overControl = decide(beside, metric, 'the control')
  const reason = overControl.promoted ? `${overBest.reason} ${overControl.reason}` : overControl.reason
  return { ...outcomeOver, promoted: overControl.promoted, reason }
}

export function decide(
  difference: LoopDifference,
  metric: LoopRequest['metric'],
  against: string,
): { promoted: boolean; reason: string } {
  const { refused, tasks, p_value } = difference
  if (refused !== null) return { promoted: false, reason: refused }
  const estimate = difference[metric]
  const { mean = null, ci = null } = estimate ?? {}
  const named = metric === 'reward' ? 'reward' : 'success rate'
  const where = `against ${against} on ${tasks} tasks`
  if (ci !== null) {
    const interval = `${signed(mean)} [${signed(ci.lower)}, ${signed(ci.upper)}]`
    return ci.lower > 0
      ? { promoted: true, reason: `Promoted: ${named} ${interval} ${where}.` }
      : {
          promoted: false,
          reason: `No gain: ${named} ${interval} ${where}, which does not exclude a gain of 0.`,
        }
  }
  // If every task differs by the same amount, there is no spread for an interval. The exact test needs none.
  const isSure = metric === 'success_rate' && mean !== null && mean > 0 && p_value !== null && p_value < level
  return isSure
    ? {
        promoted: true,
        reason: `Promoted: ${named} ${signed(mean)} ${where}, sign test p ${writePValue(p_value)}.`,
      }
    : { promoted: false, reason: `No gain: ${named} ${signed(mean)} ${where}, and no interval can be given.` }
}

function signed(value: number | null): string {
  if (value === null) return '–'
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(3)}`
}
