import { expect, test } from 'vitest'
import { simulatedEndpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { pddlDefinition } from '../../../shared/environments/pddl/definition.ts'
import { textcraftDefinition } from '../../../shared/environments/textcraft/definition.ts'
import type { EndpointModels } from '../../../shared/play/models/endpoint-models.ts'
import { modelClock } from '../../../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../../../shared/play/simulated/simulated-models.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { playDisturbed } from '../../support/play-disturbed.ts'

/** Schedules of what goes wrong, of each case: `KILL_SEEDS=300 KILL_FROM=0 npm test -- --project slow test/play/methods/after-kills.slow.test.ts`. */
const seeds = Number(process.env.KILL_SEEDS ?? 1)
const firstSeed = Number(process.env.KILL_FROM ?? 0)

/** Whatever is remembered is shown, so that nothing that is read too early or too late goes unseen. */
const everything = {
  policy_threshold: 0,
  policy_recall: 100,
  policy_likeness: -1,
  value_threshold: 0,
  value_recall: 100,
  value_likeness: -1,
}

const small = { iterations: 2, proposals: 3, branching: 2, verdicts: 1, max_steps: 2 }

function simulated(): EndpointModels {
  const endpoint = simulatedEndpointSchema.parse({ kind: 'simulated', skill: 0.6 })
  return createSimulatedModels('test', endpoint, modelClock)
}

function hashed(): EndpointModels {
  const { model, embedding, scorer } = createHashModels()
  return { chat: model('test'), embedding: embedding('test'), scorer: scorer('test') }
}

const cases = {
  'rmcts, side by side, by vectors': {
    open: async () => withTasks(createHashEnvironment(3, { depth: 4 }), 6),
    models: hashed,
    method: { id: 'rmcts', value: 'debate', round_size: 2, parallel: 2, ...small, ...everything },
    roles: { embedding: { id: 'embedding' } },
  },
  'rmcts, one after the other, by words': {
    open: () => textcraftDefinition.open(null),
    models: simulated,
    tasks: { split: 'test', limit: 3 },
    method: { id: 'rmcts', ...small, ...everything },
  },
  learnact: {
    open: () => pddlDefinition.open(null),
    models: simulated,
    tasks: { types: ['gripper'], limit: 2 },
    method: { id: 'learnact', candidates: 2, rounds: 1, train_tasks: 1, train_steps: 4, max_steps: 4 },
  },
}

test.each(Object.entries(cases))(
  'trees, notes and actions are the same bytes whatever dies on the way: %s',
  async (_name, { models: openModels, open, ...asked }) => {
    const environment = await open()
    const world = await openTestWorld()
    const models = openModels()
    const request: RunRequestInput = {
      environment: environment.id,
      model: { endpoint: 'test', id: 'test' },
      max_retries: 20,
      max_parallel: 8,
      ...asked,
    }
    const play = (schedule: string | null) =>
      playDisturbed({ world, environment, models, request, schedule, groupFor: 5 })
    const expected = await play(null)
    expect(expected.run.status).toBe('succeeded')
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const { befell, left, run } = await play(String(seed))
      expect(left, `schedule ${seed}: ${befell.join(', ')}`).toEqual(expected.left)
      expect(run.episodes, `schedule ${seed}`).toEqual(expected.run.episodes)
    }
  },
  Math.max(240_000, seeds * 30_000),
)
