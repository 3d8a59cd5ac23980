import type { RunEstimate } from '../../contracts/estimate.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { Price } from '../../models/prices.ts'
import type { Effort } from '../effort.ts'
import type { Earlier } from './earlier-runs.ts'
import { type PromptSizes, promptTokens } from './measure-prompts.ts'
import { answerTokens } from './reckon-episode.ts'

/** Says how each figure came about. */
export function explainEstimate(parts: {
  earlier: Earlier | null
  effort: Effort
  /** The most calls of an episode, within its limits. */
  calls: number
  prompts: PromptSizes
  model: ModelChoice
  price: Price | null
  /** Where the hours of hosts come from. */
  hosts: string
}): RunEstimate['reckoned'] {
  const { calls, earlier, effort, model, price, prompts } = parts
  const { expected, at_most, tasks } = prompts
  const seen =
    earlier === null
      ? null
      : `the mean of ${count(earlier.episodes, 'episode')} of ${count(earlier.runs.length, 'earlier run')} with the same method and model, on ${earlier.sameTasks ? 'the same' : 'other'} tasks`
  const last = Math.max(0, effort.at_most.length - 1)
  return {
    from: earlier === null ? 'method' : 'earlier_runs',
    runs: earlier?.runs ?? [],
    episodes: earlier?.episodes ?? 0,
    model_calls: `Expected: ${seen ?? effort.reason}. At most: the ${count(calls, 'call')} that the parameters and limits allow an episode. Calls sent again because their answer was lost come on top.`,
    input_tokens: `Expected: ${seen ?? `first prompts of ${round(expected.start)} tokens, as measured on ${count(tasks, 'task')}, growing by ${round(expected.turn)} a turn, as in the prompt's example`}. At most: first prompts of ${round(at_most.start)} tokens, growing by ${round(at_most.turn)} a turn up to ${round(promptTokens(at_most, last))}. Tokens are estimated on the high side.`,
    output_tokens: `Expected: ${seen ?? `answers of ${answerTokens(model)} tokens, a quarter of max_tokens`}. At most: answers of max_tokens, ${model.max_tokens}.`,
    cost:
      price === null
        ? `The endpoint "${model.endpoint}" states no price for "${model.id}".`
        : `At $${price.input} a million input tokens and $${price.output} a million output tokens${price.request === undefined ? '' : `, and $${price.request} a call`}.`,
    host_hours: parts.hosts,
  }
}

function count(number: number, what: string): string {
  return `${round(number)} ${what}${number === 1 ? '' : 's'}`
}

function round(number: number): string {
  return String(Math.round(number))
}
