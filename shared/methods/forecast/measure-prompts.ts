import type { ModelChoice } from '../../contracts/model-choice.ts'
import { type Environment, type EnvironmentTask, isPure } from '../../environments/environment.ts'
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens.ts'
import type { Method } from '../method.ts'
import { renderPrompt } from '../prompts/render-prompt.ts'

/** How many tasks are looked at. */
const looked = 200

type Turn = { thought: string; action: string; observation: string }

/** Of environments that show no example: about 40 tokens of answer, and 100 of observation. */
const usualTurn: Turn = { thought: '.'.repeat(120), action: '.'.repeat(30), observation: '.'.repeat(350) }

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
export async function measurePrompts(
  environment: Environment,
  method: Pick<Method, 'prompt'>,
  run: { tasks: readonly string[]; seed: number; model: ModelChoice },
): Promise<PromptSizes> {
  const { max_prompt_tokens, max_tokens } = run.model
  const byId = new Map(environment.tasks().map((task) => [task.id, task]))
  const firsts: string[] = []
  const starts: number[] = []
  const examples: Turn[] = []
  for (const id of run.tasks.slice(0, looked)) {
    const prompt = method.prompt(environment.describe(byId.get(id) as EnvironmentTask))
    const turns = prompt.example?.turns ?? []
    const observation = await firstObservation(environment, id, run.seed, prompt.example?.observation)
    firsts.push(observation)
    starts.push(estimatePromptTokens(renderPrompt(prompt, observation)))
    if (examples.length < looked) examples.push(...turns)
  }
  const turns = (examples.length > 0 ? examples : [usualTurn]).map(({ thought, action, observation }) => ({
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

/** What a task shows first; an environment that runs on hosts is not started for an estimate, so its example stands in. */
async function firstObservation(
  environment: Environment,
  task: string,
  seed: number,
  example: string | undefined,
): Promise<string> {
  if (!isPure(environment)) return example ?? usualTurn.observation
  return (await environment.open(task)).reset(task, seed).observation
}

/** The tokens of a prompt that shows so many turns. */
export function promptTokens({ start, turn, cut }: PromptSize, turns: number): number {
  return Math.min(start + turns * turn, cut)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
