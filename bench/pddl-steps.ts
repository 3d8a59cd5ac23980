import { pddl } from '../shared/environments/pddl/pddl.ts'
import { report } from './figure.ts'

const stepsPerTask = 30_000

async function measure(type: string): Promise<{ played: number; copied: number }> {
  const tasks = pddl.tasks().filter((task) => task.split === 'test' && task.type === type)
  const rate = { played: 0, copied: 0 }
  for (const { id } of tasks) {
    const core = await pddl.open(id)
    const { state: start } = core.reset(id, 0)
    const actions: string[] = []
    let state = start
    for (let index = 0; actions.length < 60; index += 1) {
      const possible = core.validActions?.(state) ?? []
      const action = possible[(index * 7919) % possible.length] as string
      actions.push(action, ...(index % 4 === 0 ? [action] : []))
      state = core.step(state, action).state
    }
    const play = (steps: number) => {
      let current = start
      for (let index = 0; index < steps; index += 1) {
        if (index % actions.length === 0) current = core.reset(id, 0).state
        current = core.step(current, actions[index % actions.length] as string).state
      }
    }
    const copy = (steps: number) => {
      let current = start
      for (let index = 0; index < steps; index += 1) current = JSON.parse(JSON.stringify(current))
    }
    rate.played += stepsPerSecond(play)
    rate.copied += stepsPerSecond(copy)
  }
  return { played: rate.played / tasks.length, copied: rate.copied / tasks.length }
}

function stepsPerSecond(perform: (steps: number) => void): number {
  perform(stepsPerTask / 10)
  const start = performance.now()
  perform(stepsPerTask)
  return stepsPerTask / ((performance.now() - start) / 1000)
}

for (const type of ['blockworld', 'gripper', 'tyreworld', 'barman']) {
  const { played, copied } = await measure(type)
  report({
    what: `PDDL steps in process, ${type} (every fifth action impossible, resets included)`,
    value: `${(played / 1e3).toFixed(0)} k steps/s`,
    ratio: `${(played / copied).toFixed(1)} × copying the state once through JSON`,
    aim: '≥ 100 k steps/s',
  })
}
