import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { PureEnvironment } from '../../environments/environment.ts'
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens.ts'
import type { Prompt } from '../prompts/prompt.ts'
import { renderPrompt } from '../prompts/render-prompt.ts'

/** How many tasks are looked at. */
const looked = 200

/** A prompt that shows `n` turns has `start + n * turn` tokens, and no more than `cut`. */
export interface PromptSize {
  start: number
  turn: number
  cut: number
}

/** The prompts of a run, measured on its real tasks. */
export interface PromptSizes {
  /** How many tasks were looked at. */
  tasks: number
  expected: PromptSize
  at_most: PromptSize
}

/**
 * Renders the first prompts of the tasks. Turns are expected to be as long as in the prompt's own example; at most, an
 * answer is as long as it may be, and an observation as the longest first one.
 */
export function measurePrompts(
  environment: PureEnvironment,
  prompt: Prompt,
  run: { tasks: readonly string[]; seed: number; model: ModelChoice },
): PromptSizes {
  const { max_prompt_tokens, max_tokens } = run.model
  const firsts = run.tasks.slice(0, looked).map((task) => environment.reset(task, run.seed).observation)
  const starts = firsts.map((observation) => estimatePromptTokens(renderPrompt(prompt, observation)))
  const turns = prompt.example.turns.map(({ thought, action, observation }) => ({
    answer: estimateTokens(`Thought: ${thought}\nAction: ${action}`),
    observation: estimateTokens(observation),
  }))
  const perTurn = estimatePromptTokens([
    { role: 'assistant', content: '' },
    { role: 'user', content: '' },
  ])
  const longest = Math.max(...firsts.map(estimateTokens), ...turns.map((turn) => turn.observation))
  const size = (start: number, turn: number) => ({
    start,
    turn: turn + perTurn,
    // What stands before the first turn is never cut.
    cut: Math.max(start, max_prompt_tokens),
  })
  return {
    tasks: firsts.length,
    expected: size(mean(starts), mean(turns.map(({ answer, observation }) => answer + observation))),
    at_most: size(Math.max(...starts), max_tokens + longest),
  }
}

/** The tokens of a prompt that shows so many turns. */
export function promptTokens({ start, turn, cut }: PromptSize, turns: number): number {
  return Math.min(start + turns * turn, cut)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
