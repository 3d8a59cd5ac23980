import type { EpisodeLimits } from '../../contracts/limits.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { Usage } from '../../contracts/usage.ts'
import type { Price } from '../../models/prices.ts'
import { type CallsByTurns, countCalls, type Effort, longestCalls, scaleCalls } from '../effort.ts'
import { type PromptSize, type PromptSizes, promptTokens } from './measure-prompts.ts'
import { pricedUsage, type Range } from './range.ts'

/** Which part of `max_tokens` an answer is taken to have. */
const usualAnswer = 1 / 4

export interface EpisodeParts {
  /** Within the limit on steps. */
  effort: Effort
  limits: Pick<EpisodeLimits, 'turns'>
  prompts: PromptSizes
  model: ModelChoice
  price: Price | null
}

/** What one episode takes by the method's structure, within its limits on steps and turns. */
export function reckonEpisode({ effort, limits, prompts, model, price }: EpisodeParts): Range & {
  /** What the calls that can be under way at once take: by so much a limit on tokens or money can be passed. */
  wave: Usage
} {
  const { turns = Number.POSITIVE_INFINITY } = limits
  const likely = countCalls(effort.expected)
  const expected = likely <= turns ? effort.expected : scaleCalls(effort.expected, turns / likely)
  const at_most = longestCalls(effort.at_most, turns)
  const { max_tokens } = model
  const last = effort.at_most.length
  const wave = Array.from({ length: last }, (_, at) => (at === last - 1 ? effort.side_by_side : 0))
  return {
    expected: pricedUsage(usageOf(expected, prompts.expected, answerTokens(model)), price),
    at_most: pricedUsage(usageOf(at_most, prompts.at_most, max_tokens), price),
    wave: pricedUsage(usageOf(wave, prompts.at_most, max_tokens), price),
  }
}

/** How long an answer is expected to be. */
export function answerTokens({ max_tokens }: ModelChoice): number {
  return Math.ceil(max_tokens * usualAnswer)
}

function usageOf(calls: CallsByTurns, size: PromptSize, answer: number): Omit<Usage, 'cost'> {
  const model_calls = countCalls(calls)
  return {
    model_calls,
    input_tokens: calls.reduce((sum, count, turns) => sum + count * promptTokens(size, turns), 0),
    output_tokens: model_calls * answer,
  }
}
