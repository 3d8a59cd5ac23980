import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EpisodeLimits } from '../../../shared/core/contracts/limits.ts'
import { segmentKey } from '../../../shared/core/engine/journal-keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  committedEffects,
  journalPrefix,
  type PlayOnceOptions,
  playOnce,
  summarise,
} from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { randomMethods, randomRun, someMemories } from '../../support/random-methods.ts'

/** Sometimes an episode may make only so many calls. */
const limits = fc.oneof(
  fc.constant({}),
  fc.record({ turns: fc.integer({ min: 1, max: 20 }) }),
) as fc.Arbitrary<EpisodeLimits>

/** What an episode came to, without the moments at which it did. */
async function result(options: PlayOnceOptions): Promise<string> {
  const { trajectory: _, ...rest } = (await summarise(options)) ?? { trajectory: null }
  return JSON.stringify(rest)
}

/** As a kill leaves it: the first segments of a journal. */
async function copySegments(from: World['objects'], to: World['objects'], count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const key = segmentKey(journalPrefix, number)
    const segment = await from.get(key)
    if (segment) await to.put(key, segment.body)
  }
}

describe('an episode that was killed after any segment of its journal comes to the same', () => {
  test.each(Object.entries(randomMethods))('%s', async (_name, method) => {
    const world = await openTestWorld()
    let played = 0
    await fc.assert(
      fc.asyncProperty(randomRun(method), fc.nat(), limits, async (chosen, seed, limits) => {
        played += 1
        let calls = 0
        const model = createHashModel({
          delay: 1,
          onCall: () => {
            calls += 1
          },
        })
        const open = (name: string): PlayOnceOptions => ({
          ...chosen,
          world: { ...world, objects: prefixedObjects(world.objects, `${played}/${name}/`) },
          environment: createHashEnvironment(seed, { depth: 3 }),
          model,
          models: createHashModels(model),
          memories: someMemories,
          limits,
        })
        const whole = open('whole')
        const { journal, outcome } = await playOnce(whole)
        expect(outcome.type).toBe('ended')
        const made = calls
        const [bytes, effects] = [await result(whole), await committedEffects(whole)]
        for (let segments = 0; segments <= journal.segments; segments += 1) {
          const cut = open(`cut-${segments}`)
          await copySegments(whole.world.objects, cut.world.objects, segments)
          const before = (await committedEffects(cut)).length
          calls = 0
          expect((await playOnce({ ...cut, writer: 'second' })).outcome).toEqual(outcome)
          expect(await result(cut)).toBe(bytes)
          expect((await committedEffects(cut)).toSorted()).toEqual(effects.toSorted())
          expect(calls).toBeLessThanOrEqual(effects.length - before)
        }
        expect(calls).toBe(0)
        if (limits.turns === undefined) expect(made).toBeGreaterThan(0)
        else expect(made).toBeLessThanOrEqual(limits.turns)
      }),
      { numRuns: 12 },
    )
  })
})
