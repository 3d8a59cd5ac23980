import type { EpisodeLimits } from '../../../core/contracts/limits.ts'
import { addUsage, noUsage, type Usage } from '../../../core/contracts/usage.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { Effort } from '../effort.ts'
import type { AskedModels } from './asked-models.ts'
import { type AlikeCalls, countAlike, expandCalls, type SizesOf } from './expand-calls.ts'
import { type Range, scaleUsage } from './range.ts'

export interface EpisodeForecastParts {
  effort: Effort
  limits: Pick<EpisodeLimits, 'turns'>
  sizesOf: SizesOf
  models: AskedModels
  book: PromptBook
}

export interface EpisodeEstimate extends Range {
  /** Usage of the concurrent calls: an episode can exceed a limit on tokens or money by this much. */
  wave: Usage
  byRole: ReadonlyMap<AlikeCalls['role'], number>
}

export function estimateEpisode({ effort, limits, ...parts }: EpisodeForecastParts): EpisodeEstimate {
  const { turns = Number.POSITIVE_INFINITY } = limits
  const likely = expandCalls(effort, 'expected', parts)
  const possible = expandCalls(effort, 'at_most', parts)
  const atOnce = Math.max(1, ...possible.map(({ requests }) => requests))
  const wave = effort.side_by_side * atOnce
  const byRole = new Map<AlikeCalls['role'], number>()
  for (const { count, role } of possible) byRole.set(role, (byRole.get(role) ?? 0) + count)
  return {
    expected: scaleUsage(sum(likely), Math.min(1, turns / countAlike(likely))),
    // Concurrent requests count as one until they return.
    at_most: most(possible, turns + wave - effort.side_by_side),
    wave: most(possible, wave),
    byRole,
  }
}

function sum(calls: readonly AlikeCalls[]): Usage {
  return calls.reduce((total, { count, each }) => addUsage(total, scaleUsage(each, count)), noUsage)
}

function most(calls: readonly AlikeCalls[], limit: number): Usage {
  const mostOf = (amount: keyof Usage): number => {
    let left = limit
    let total = 0
    for (const { count, each } of calls.toSorted(
      (one, other) => amountOf(other, amount) - amountOf(one, amount),
    )) {
      const taken = Math.min(count, left)
      total += taken * (each[amount] ?? 0)
      left -= taken
    }
    return total
  }
  return {
    model_calls: mostOf('model_calls'),
    input_tokens: mostOf('input_tokens'),
    output_tokens: mostOf('output_tokens'),
    cost: calls.some(({ each }) => each.cost === null) ? null : mostOf('cost'),
  }
}

function amountOf({ each }: AlikeCalls, amount: keyof Usage): number {
  return each[amount] ?? 0
}
