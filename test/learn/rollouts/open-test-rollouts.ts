import {
  type GroupEvent,
  type RolloutRequestInput,
  rolloutRequestSchema,
} from '../../../shared/core/contracts/rollout.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openAttempts } from '../../../shared/data/datasets/open-attempts.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { GroupFolds, openRollouts } from '../../../shared/learn/rollouts/open-rollouts.ts'
import type { Rollouts } from '../../../shared/learn/rollouts/rollouts.ts'
import { openTestEngine, type TestEngineOptions } from '../../support/open-test-engine.ts'

/** The rollouts of one tenant over an engine of their own, whose worker is not started. */
export function openTestRollouts(options: TestEngineOptions) {
  const engine = openTestEngine(options)
  return { ...engine, rollouts: rolloutsOver(options.world, engine.runs) }
}

type TestRuns = ReturnType<typeof openTestEngine>['runs']

export function rolloutsOver(world: World, runs: TestRuns): Rollouts {
  return openRollouts({ runs, attempts: openTestAttempts(world, runs), folds: new GroupFolds() })
}

export function openTestAttempts(world: World, runs: TestRuns) {
  return openAttempts({
    objects: world.objects,
    runs,
    trajectories: openTrajectories({ world }).of('default'),
    splitsOf: async () => new Map(),
  })
}

export function toRollout(request: Partial<RolloutRequestInput> = {}) {
  return rolloutRequestSchema.parse({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 4 },
    method: { id: 'react' },
    model: { endpoint: 'test', id: 'test' },
    group_size: 3,
    record: 'text',
    ...request,
  })
}

/** Waits for the end of a rollout. @returns its groups in the order of the stream */
export async function allGroups(rollouts: Rollouts, id: string): Promise<GroupEvent[]> {
  for (;;) {
    const { status } = await rollouts.get(id)
    const events = await rollouts.groups(id, { after: 0, limit: 1000 })
    if (['succeeded', 'failed', 'cancelled'].includes(status)) return events
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
