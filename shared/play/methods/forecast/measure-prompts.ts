import { type Environment, type EnvironmentTask, isHosted } from '../../../environments/environment.ts'
import { tasksById } from '../../../environments/generate/find-task.ts'
import { openCore } from '../../../environments/open-core.ts'
import { type ActionTool, callOfAction } from '../../../environments/tools/action-tool.ts'
import { estimateToolTokens } from '../../models/estimate-tokens.ts'
import type { TokenCounter } from '../../models/token-counter.ts'
import type { PromptBook } from '../../search/prompt-book.ts'
import type { PromptTemplate } from '../../search/prompt-template.ts'
import type { Method } from '../method.ts'
import { noKnowledge } from '../prompts/agent-prompt.ts'
import { offerTools, toolsOf } from '../tool-dialect.ts'
import { type AroundSizes, measureAround, measureTexts } from './prompt-tokens.ts'

const looked = 200

const usualShareOfMaxTokens = 1 / 4

type Turn = { thought: string; action: string; observation: string }

/** For environments without an example: about 40 tokens of answer, and 100 of observation. */
const usualTurn: Turn = { thought: '.'.repeat(120), action: '.'.repeat(30), observation: '.'.repeat(350) }

export interface TextSizes {
  around: AroundSizes
  texts: ReadonlyMap<PromptTemplate, number>
  start: number
  /** The offered tools, which stand before each prompt whatever is cut; 0 for an agent that acts by text. */
  tools: number
  rules: number
  objective: number
  first: number
  observation: number
  action: number
  answer: number
}

export interface PromptSizes {
  tasks: number
  expected: TextSizes
  at_most: TextSizes
}

export function answerTokens({ max_tokens }: { max_tokens: number }): number {
  return Math.ceil(max_tokens * usualShareOfMaxTokens)
}

/**
 * Renders the first prompts of the tasks. Expected turns are as long as those of the prompt's own example. At most,
 * an answer has its maximum length, and an observation is as long as the longest first one.
 */
export async function measurePrompts(
  environment: Environment,
  method: Pick<Method, 'system'>,
  run: {
    tasks: readonly string[]
    seed: number
    answers: { policy: number; others: number }
    book: PromptBook
    parameters: object
    examples?: readonly { role: 'user' | 'assistant'; content: string }[]
    counter: TokenCounter
    prompts: readonly PromptTemplate[]
  },
): Promise<PromptSizes> {
  const byId = tasksById(environment)
  const { counter } = run
  const tasks: TaskSizes[] = []
  const examples: (Turn & { answer: string })[] = []
  for (const id of run.tasks.slice(0, looked)) {
    const task = byId.get(id) as EnvironmentTask
    const guide = environment.describe(task)
    const observation = await firstObservation(environment, id, run.seed, guide.example?.observation)
    const tools = 'actions' in run.parameters && run.parameters.actions === 'tools' ? toolsOf(guide) : null
    const system = method.system(run.parameters, run.book, guide, { ...noKnowledge, ...(tools && { tools }) })
    tasks.push({
      start: await counter.ofPrompt([
        { role: 'system', content: system },
        ...(run.examples ?? []),
        { role: 'user', content: observation },
      ]),
      tools: estimateToolTokens(offerTools(tools ?? [])),
      rules: await counter.ofText(guide.rules),
      objective: await counter.ofText(task.description),
      first: await counter.ofText(observation),
    })
    if (examples.length < looked) {
      examples.push(
        ...(guide.example?.turns ?? []).map((turn) => ({ ...turn, answer: answerOf(turn, tools) })),
      )
    }
  }
  const turns: { action: number; observation: number }[] = []
  const usual = { ...usualTurn, answer: answerOf(usualTurn, null) }
  for (const { answer, observation } of examples.length > 0 ? examples : [usual]) {
    turns.push({
      action: await counter.ofText(answer),
      observation: await counter.ofText(observation),
    })
  }
  const shared = {
    around: await measureAround(counter),
    texts: await measureTexts(counter, run.prompts, run.book),
  }
  const { policy, others } = run.answers
  return {
    tasks: tasks.length,
    expected: {
      ...shared,
      ...reduceSizes(tasks, mean),
      action: mean(turns.map(({ action }) => action)),
      observation: mean(turns.map(({ observation }) => observation)),
      answer: answerTokens({ max_tokens: others }),
    },
    at_most: {
      ...shared,
      ...reduceSizes(tasks, (sizes) => Math.max(...sizes)),
      action: policy,
      observation: Math.max(
        ...tasks.map(({ first }) => first),
        ...turns.map(({ observation }) => observation),
      ),
      answer: others,
    },
  }
}

type TaskSizes = Pick<TextSizes, 'start' | 'tools' | 'rules' | 'objective' | 'first'>

/** An answer as later prompts show it: a call stands there with an id. */
function answerOf({ thought, action }: Turn, tools: readonly ActionTool[] | null): string {
  const call = tools === null ? null : callOfAction(action, tools)
  if (call === null) return `Thought: ${thought}\nAction: ${action}`
  const asked = { name: call.name, arguments: JSON.stringify(call.arguments) }
  return `${thought}\n${JSON.stringify({ id: 'call00001', type: 'function', function: asked })}`
}

function reduceSizes(tasks: readonly TaskSizes[], reduce: (sizes: number[]) => number): TaskSizes {
  return {
    start: reduce(tasks.map(({ start }) => start)),
    tools: reduce(tasks.map(({ tools }) => tools)),
    rules: reduce(tasks.map(({ rules }) => rules)),
    objective: reduce(tasks.map(({ objective }) => objective)),
    first: reduce(tasks.map(({ first }) => first)),
  }
}

/**
 * A task's first observation. An estimate starts no hosts, so the example stands in for an environment that runs on
 * them.
 */
async function firstObservation(
  environment: Environment,
  task: string,
  seed: number,
  example: string | undefined,
): Promise<string> {
  if (isHosted(environment)) return example ?? usualTurn.observation
  return (await (await openCore(environment, task, 'forecast')).reset(seed)).observation
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
