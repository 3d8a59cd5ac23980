import { hash } from 'node:crypto'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { GeneratedSplit, TaskGeneration } from '../../../shared/core/contracts/task-generation.ts'
import {
  type EnvironmentTask,
  isPure,
  type PureEnvironment,
} from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { resolveTasks, settleSelection } from '../../../shared/environments/select-tasks.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'

/** The environment as a process opens it anew. */
export async function openAnew(id: string): Promise<PureEnvironment> {
  const environment = await definitions.find((definition) => definition.id === id)?.open(null)
  if (environment === undefined || !isPure(environment)) throw new Error(`${id} is not pure.`)
  return environment
}

/** The tasks that a run with this selection plays. */
export async function generated(
  environment: PureEnvironment,
  generate: { generator: string; count: number; seed?: number; split?: GeneratedSplit } & JsonObject,
): Promise<EnvironmentTask[]> {
  const request: TaskGeneration = { seed: 0, split: 'train', ...generate }
  return resolveTasks(environment, settleSelection(environment, { generate: request }))
}

/** What distinguishes a task: all that it shows at the start, in whichever order. */
export async function contentOf(environment: PureEnvironment, { id }: EnvironmentTask): Promise<string> {
  const core = await environment.open(id)
  const { observation, state } = core.reset(id, 0)
  return hash('sha256', `${observation.split('\n').sort().join('\n')}\n${JSON.stringify(state)}`)
}

/** Lets the simulated model play a task without mistakes; the steps that it took, or null where it did not solve it. */
export async function playExpertly(
  environment: PureEnvironment,
  task: EnvironmentTask,
  mostSteps: number,
): Promise<number | null> {
  const core = await environment.open(task.id)
  const { example, rules } = environment.describe(task)
  let { state, observation } = core.reset(task.id, 0)
  const shown = example?.turns.map((turn) => `Action: ${turn.action}\n${turn.observation}`) ?? []
  const messages: Message[] = [
    { role: 'system', content: [rules, example?.observation, ...shown].join('\n\n') },
    { role: 'user', content: observation },
  ]
  for (let step = 1; step <= mostSteps; step += 1) {
    const content = answerPrompt(messages, { skill: 1, seed: 0 }, { seed: step, choice: 0 })
    const result = core.step(state, readAction(content) ?? content)
    if (result.done) return result.reward >= environment.success_threshold ? step : null
    state = result.state
    observation = result.observation
    messages.push({ role: 'assistant', content }, { role: 'user', content: observation })
  }
  return null
}
