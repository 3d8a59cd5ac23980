import { describe, expect, test } from 'vitest'
import { simulatedEndpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { isPure } from '../../shared/environments/environment.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { modelClock } from '../../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../../shared/play/simulated/simulated-models.ts'
import { openInProcessHosts } from '../support/in-process-hosts.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { playOnce, summarise, treeBytes } from '../support/play-once.ts'

const tasksPlayed = 3

const methods = [
  { id: 'react', max_steps: 12 },
  { id: 'mcts', iterations: 2, samples: 2, max_depth: 6 },
  { id: 'rmcts', value: 'debate', iterations: 2, proposals: 4, branching: 2, verdicts: 1, max_steps: 6 },
  { id: 'code-as-policy' },
]

const opened = await Promise.all(definitions.map((definition) => definition.open(null)))
/** Those that run on hosts only are played by tests of their own. */
const pure = opened.filter(isPure)

describe.each(pure.map((environment) => [environment.id, environment] as const))(
  'the environment %s',
  (_id, environment) => {
    const tasks = environment.tasks().filter(({ split }) => split === 'test')

    test.each(methods)(
      'comes to the same tree in the worker and on a host with the simulated model: $id',
      async (method) => {
        const { chat: model } = createSimulatedModels(
          'simulated',
          simulatedEndpointSchema.parse({ kind: 'simulated' }),
          modelClock,
        )
        for (const { id: task } of tasks.slice(0, tasksPlayed)) {
          const worker = { world: await openTestWorld(), environment, model, method, task }
          const world = await openTestWorld()
          const hosts = openInProcessHosts({ world, environment })
          await hosts.add('host-1')
          const host = { ...worker, world, hosting: 'host' as const, sessions: hosts.sessions }
          expect((await playOnce(worker)).outcome).toEqual({ type: 'ended', limit: null })
          expect((await playOnce(host)).outcome).toEqual({ type: 'ended', limit: null })
          expect(await treeBytes(host)).toBe(await treeBytes(worker))
          expect((await summarise(worker))?.steps).toBeGreaterThan(0)
        }
      },
    )
  },
)
