import type { BenchedEpisode, StepBench } from '../step-bench.ts'
import { pddl } from './pddl.ts'

const actionsOfTask = 60

/** A walk over possible actions; each fourth is tried a second time, which mostly fails. */
async function walk(task: string): Promise<BenchedEpisode> {
  const core = await pddl.open(task)
  const actions: string[] = []
  let { state } = core.reset(task, 0)
  for (let index = 0; actions.length < actionsOfTask; index += 1) {
    const possible = core.validActions?.(state) ?? []
    const action = possible[(index * 7919) % possible.length] as string
    actions.push(action, ...(index % 4 === 0 ? [action] : []))
    state = core.step(state, action).state
  }
  return { core, task, action: (_state, step) => actions[step] ?? null }
}

export const pddlBench: readonly StepBench[] = await Promise.all(
  ['blockworld', 'gripper', 'tyreworld', 'barman'].map(async (type) => {
    const tasks = pddl.tasks().filter((task) => task.split === 'test' && task.type === type)
    return {
      what: `PDDL, ${type} (every fifth action impossible)`,
      aim: '≥ 100 k steps/s',
      episodes: await Promise.all(tasks.map(({ id }) => walk(id))),
    }
  }),
)
