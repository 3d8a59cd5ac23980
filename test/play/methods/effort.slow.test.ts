import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { type CallsByTurns, countCalls } from '../../../shared/play/methods/effort.ts'
import { openMethods, parseMethodParameters } from '../../../shared/play/methods/methods.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { playOnce } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, someMemories } from '../../support/random-methods.ts'
import { scriptedRoles } from '../../support/scripted-episode.ts'

/** Shares of calls are added up. */
const rounding = 1e-9

test.each(Object.entries(randomMethods))(
  '%s: no episode makes more calls, to anyone, than its method says before',
  async (_name, random) => {
    const world = await openTestWorld()
    let played = 0
    await fc.assert(
      fc.asyncProperty(random, fc.nat(), async (chosen, seed) => {
        played += 1
        const made = new Map<string, number>()
        const model = createHashModel({
          delay: 0,
          onCall: ({ model: role }) => made.set(role, (made.get(role) ?? 0) + 1),
        })
        const environment = createHashEnvironment(seed, { depth: 3 })
        await playOnce({
          world: { ...world, objects: prefixedObjects(world.objects, `${played}/`) },
          environment,
          model,
          models: createHashModels(model),
          memories: someMemories,
          method: chosen,
          request: { roles: scriptedRoles },
        })
        const { id, ...given } = JSON.parse(JSON.stringify(chosen)) as JsonObject & { id: string }
        const method = openMethods().find(id)
        const bounds = { max_steps: environment.default_max_steps, steps: 10_000 }
        const { at_most, others = [] } = method.effort(parseMethodParameters(method, given), bounds)
        const most = (calls: readonly { at_most: CallsByTurns }[]) =>
          calls.reduce((sum, each) => sum + countCalls(each.at_most), rounding)
        expect(made.get('test') ?? 0).toBeLessThanOrEqual(most([{ at_most }]))
        for (const role of Object.keys(scriptedRoles)) {
          expect(made.get(role) ?? 0).toBeLessThanOrEqual(most(others.filter((other) => other.role === role)))
        }
      }),
      { numRuns: 25 },
    )
  },
)
