import type { RunEstimate } from '../../../core/contracts/estimate.ts'
import { mostTries } from '../../search/read-answers.ts'
import type { Effort, Likely } from '../effort.ts'
import type { AskedModel, AskedModels } from './asked-models.ts'
import type { Earlier } from './earlier-runs.ts'
import type { EpisodeEstimate } from './estimate-episode.ts'
import { answerTokens, type PromptSizes } from './measure-prompts.ts'
import { policyTokens, turnTokens } from './prompt-tokens.ts'

export interface ExplainedParts {
  earlier: Earlier | null
  effort: Effort
  estimate: EpisodeEstimate
  learning: { episodes: number; estimate: EpisodeEstimate } | null
  prompts: PromptSizes
  models: AskedModels
  warnings: readonly string[]
  hosts: string
}

export function explainEstimate(parts: ExplainedParts): RunEstimate['basis'] {
  const { earlier, effort, learning, models, prompts, estimate, warnings } = parts
  const { at_most, expected, tasks } = prompts
  const { choice } = models.get('policy') as AskedModel
  const seen =
    earlier === null
      ? null
      : `the mean of ${count(earlier.episodes, 'episode')} of ${count(earlier.runs.length, 'earlier run')} with the same method and models, on ${earlier.sameTasks ? 'the same' : 'other'} tasks`
  const { answer_tokens = 0, notes = { expected: 0, at_most: 0 } } = effort
  const { max_prompt_tokens, max_tokens } = choice
  const shown = (which: keyof Likely, turns: number) =>
    policyTokens(prompts[which], { turns, notes: notes[which], max_prompt_tokens })
  const last = shown('at_most', Math.max(0, effort.at_most.length - 1))
  const isProgram = answer_tokens > max_tokens
  const most = isProgram ? answer_tokens : max_tokens
  const what = isProgram ? 'what a program may have' : 'max_tokens'
  return {
    from: earlier === null ? 'method' : 'earlier_runs',
    runs: earlier?.runs ?? [],
    episodes: earlier?.episodes ?? 0,
    model_calls: sentences(
      `Expected: ${seen ?? effort.reason}`,
      effort.assumed === true
        ? `At most: not known, as the method gives no figures of its own (effort): the figure is ${count(estimate.at_most.model_calls, 'call')}, one for each action of the longest trajectory. Bound episodes with episode_limits.turns, and the run with limits`
        : `At most: the ${count(estimate.at_most.model_calls, 'call')} that the parameters and limits allow an episode`,
      estimate.byRole.size > 1 &&
        `By role at most: ${byRole(estimate)}; what cannot be read is asked for up to ${mostTries} times`,
      learning !== null && learningWords(learning),
      asksForSeveral(effort) &&
        'An endpoint that gives fewer answers at once than a call asks for, and whose max_choices does not say so, takes more calls',
      'Calls sent again because their answer was lost come on top',
    ),
    input_tokens: sentences(
      `Expected: ${seen ?? `first prompts of ${round(shown('expected', 0))} tokens, as measured on ${count(tasks, 'task')}, growing by ${round(turnTokens(expected))} a turn, as in the prompt's example`}`,
      `At most: first prompts of ${round(shown('at_most', 0))} tokens, growing by ${round(turnTokens(at_most))} a turn up to ${round(last)}`,
      models.size > 1 &&
        'Other roles see the way so far as one text, of at most half of their max_prompt_tokens',
      countingWords(models),
      ...warnings.map((warning) => warning.replace(/\.$/, '')),
    ),
    output_tokens: sentences(
      `Expected: ${seen ?? `answers of ${answerTokens({ max_tokens: most })} tokens, a quarter of ${what}`}`,
      `At most: answers of ${what}, ${most}`,
      asksForSeveral(effort) && several(effort),
    ),
    cost: costWords(models),
    host_hours: parts.hosts,
  }
}

function countingWords(models: AskedModels): string {
  const known = new Set([...models.values()].map(({ counter }) => counter.model))
  const named = [...known].filter((model) => model !== null)
  if (named.length === 0) return 'Tokens are estimated on the high side'
  const others = known.has(null) ? '; those of other models are estimated on the high side' : ''
  return `Tokens are counted by the tokenizer of ${named.join(' and ')}${others}`
}

function byRole({ byRole: calls }: EpisodeEstimate): string {
  return [...calls].map(([role, most]) => `${role} ${round(most)}`).join(', ')
}

function learningWords({ episodes, estimate }: NonNullable<ExplainedParts['learning']>): string {
  const calls = count(estimate.at_most.model_calls, 'call')
  return `Before, ${count(episodes, 'episode')} of at most ${calls} each (${byRole(estimate)}) ${episodes === 1 ? 'learns' : 'learn'} for the others`
}

function asksForSeveral({ answers = 1, others = [] }: Effort): boolean {
  return answers > 1 || others.some((other) => other.answers > 1)
}

function several({ answers = 1, others = [] }: Effort): string {
  const most = new Map<string, number>([['policy', answers]])
  for (const other of others) most.set(other.role, Math.max(most.get(other.role) ?? 0, other.answers))
  const parts = [...most].filter(([, number]) => number > 1).map(([role, number]) => `${role} ${number}`)
  return `Answers to a call: ${parts.join(', ')}`
}

function costWords(models: AskedModels): string {
  const byModel = new Map<string, AskedModel>()
  for (const model of models.values()) {
    byModel.set(`${model.choice.id} at ${model.choice.endpoint}`, model)
  }
  const isOne = byModel.size === 1
  return [...byModel]
    .map(([name, { choice, price }]) => {
      if (price === null) return `The endpoint "${choice.endpoint}" states no price for "${choice.id}".`
      const words = `$${price.input} a million input tokens and $${price.output} a million output tokens${price.request === undefined ? '' : `, and $${price.request} a call`}.`
      return isOne ? `At ${words}` : `${name}: ${words}`
    })
    .join(' ')
}

function sentences(...parts: (string | false)[]): string {
  return `${parts.filter((part) => part !== false).join('. ')}.`
}

function count(number: number, what: string): string {
  return `${round(number)} ${what}${number === 1 ? '' : 's'}`
}

function round(number: number): string {
  return String(Math.round(number))
}
