import { expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { isPure, type PureEnvironment } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import {
  actionOfCall,
  actionToolSchema,
  callOfAction,
} from '../../../shared/environments/tools/action-tool.ts'

const played = ['textcraft', 'webshop', 'alfworld', 'pddl'] as const
const steps = 12

async function openEnvironment(id: string): Promise<PureEnvironment> {
  const definition = definitions.find((each) => each.id === id)
  const environment = await definition?.open(null)
  if (environment === undefined || !isPure(environment)) throw new Error(`${id} is not played in process.`)
  return environment
}

test.each(played)(
  'the tools of %s take every action of its examples, and every action that is possible on a walk',
  async (id) => {
    const environment = await openEnvironment(id)
    const types = new Map(environment.tasks().map((task) => [task.type, task]))
    for (const task of types.values()) {
      const { example, tools = [] } = environment.describe(task)
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
      for (const tool of tools) actionToolSchema.parse(tool)
      const random = seededRandom('tools', task.id, 0)
      const core = await environment.open(task.id)
      let { state } = core.reset(task.id, 0)
      const said = example?.turns.map(({ action }) => action) ?? []
      for (let step = 0; step < steps; step += 1) {
        const possible = core.validActions?.(state) ?? []
        for (const action of [...said, ...possible]) {
          const call = callOfAction(action, tools)
          expect(call, `${id}: ${action}`).not.toBeNull()
          if (call !== null) expect(actionOfCall(call, tools)).toEqual({ action })
        }
        const next = possible[Math.floor(random() * possible.length)]
        if (next === undefined) break
        const result = core.step(state, next)
        expect(result.valid, `${id}: ${next}`).toBe(true)
        if (result.done) break
        state = result.state
      }
    }
  },
)
