import type { Message } from '../../../shared/core/contracts/message.ts'
import { alfworldDefinition } from '../../../shared/environments/alfworld/definition.ts'
import {
  type EnvironmentGuide,
  type EnvironmentTask,
  isPure,
  type PureCore,
  type PureEnvironment,
} from '../../../shared/environments/environment.ts'
import { pddl } from '../../../shared/environments/pddl/pddl.ts'
import { textcraftDefinition } from '../../../shared/environments/textcraft/definition.ts'
import { openWebshop } from '../../../shared/environments/webshop/webshop.ts'

export interface Opened {
  task: EnvironmentTask
  core: PureCore
  guide: EnvironmentGuide
  start: ReturnType<PureCore['reset']>
}

/** The environments that come along with everything they need. */
export const environments = {
  textcraft: pure(await textcraftDefinition.open(null)),
  pddl,
  alfworld: pure(await alfworldDefinition.open(null)),
  webshop: await openWebshop(null),
}

function pure(environment: Awaited<ReturnType<typeof alfworldDefinition.open>>): PureEnvironment {
  if (!isPure(environment)) throw new Error(`${environment.id} is not pure.`)
  return environment
}

/** Every `nth` test task of an environment, opened. */
export async function openTasks(
  name: keyof typeof environments,
  nth: number,
  most: number,
): Promise<Opened[]> {
  const environment: PureEnvironment = environments[name]
  const tasks = environment.tasks().filter(({ split }, at) => split === 'test' && at % nth === 0)
  return Promise.all(
    tasks.slice(0, most).map(async (task) => {
      const core = await environment.open(task.id)
      return { task, core, guide: environment.describe(task), start: core.reset(task.id, 0) }
    }),
  )
}

/** A conversation as those see it who look at it from outside. */
export function transcriptOf([start, ...turns]: readonly Message[]): string {
  const shown = turns.map(({ role, content }, at) => {
    const side = role === 'assistant' ? 'Agent' : 'Environment'
    return `--- ${side}, turn ${Math.floor(at / 2) + 1}\n${content}`
  })
  return [`--- Environment, start\n${start?.content}`, ...shown].join('\n')
}
