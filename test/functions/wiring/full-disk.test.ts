import { expect, test } from 'vitest'
import { openHealth } from '../../../functions/wiring/open-health.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { openEngine } from '../../../shared/core/engine/open-engine.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

test('while the disk is full every open run says so, and no longer once there is room', async () => {
  const world = await openTestWorld()
  let isFull = false
  const full: World = {
    ...world,
    objects: new Proxy(world.objects, {
      get: (objects, name: keyof World['objects']) =>
        name === 'put' && isFull
          ? () => Promise.reject(new EspalierError('storage_failed', 'The disk is full: free some space.'))
          : objects[name].bind(objects),
    }),
  }
  // Each probe of one health writes at most once in five seconds.
  let health = openHealth(full)
  const planning = openLearningEngine({ world, tasks: ['a'], sharing: {} })
  const { id } = await planning.runs.create(toRequest())
  const engine = openEngine({
    ...{ world, code: 'code', onError: () => undefined, reconcile: async () => 'unknown' as const },
    planner: {
      plan: () => Promise.reject(new Error('Nothing is planned here.')),
      planAnnotations: () => {
        throw new Error('Nothing is planned here.')
      },
      extend: (settings) => settings,
      provenanceOf: () => ({}) as never,
      checkLimits: () => undefined,
    },
    programs: { program: () => Promise.reject(new Error('Nothing is played.')), summarise: async () => null },
    storageProblem: () => health.problem(),
  })
  const problem = async () => (await engine.runs.of('default').get(id)).last_problem
  await health.probe()
  expect(await problem()).toBeNull()
  isFull = true
  health = openHealth(full)
  await expect(health.probe()).rejects.toThrow('disk is full')
  expect(await problem()).toEqual({
    message: expect.stringMatching(/takes no writes.*The disk is full: free some space\./),
    at: expect.any(String),
  })
  isFull = false
  health = openHealth(full)
  await health.probe()
  expect(await problem()).toBeNull()
})
