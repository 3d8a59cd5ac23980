import { setImmediate as rest } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { dyingObjects, lossyObjects } from '../../support/faulty-objects.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { committedEffects, type PlayOnceOptions, playOnce, treeBytes } from '../../support/play-once.ts'

/** A random episode: an environment, a method, its parameters, and whether its worker has a log. */
const episodes = fc.record({
  seed: fc.nat(),
  depth: fc.integer({ min: 1, max: 5 }),
  groups: fc.boolean(),
  method: fc.oneof(
    fc.constant({ id: 'react' }),
    fc.record({
      id: fc.constant('mcts'),
      iterations: fc.integer({ min: 1, max: 4 }),
      samples: fc.integer({ min: 1, max: 4 }),
      max_depth: fc.integer({ min: 0, max: 4 }),
    }),
  ),
})

type Drawn = typeof episodes extends fc.Arbitrary<infer Value> ? Value : never
type Episode = Omit<Drawn, 'groups'> & Partial<Pick<Drawn, 'groups'>>

function toOptions(
  { seed, depth, method, groups = false }: Episode,
  world: World,
  onCall?: (request: ChatRequest) => void,
): PlayOnceOptions {
  return {
    world,
    ...(groups && { groupFor: 1 }),
    method,
    environment: createHashEnvironment(seed, { depth }),
    model: createHashModel(onCall ? { onCall } : {}),
  }
}

async function uninterrupted(episode: Episode): Promise<{ bytes: string; effects: number; calls: number }> {
  let calls = 0
  const options = toOptions(episode, await openTestWorld(), () => {
    calls += 1
  })
  const { outcome } = await playOnce(options)
  expect(outcome.type).toBe('ended')
  return { bytes: await treeBytes(options), effects: (await committedEffects(options)).length, calls }
}

/** Plays until the process "dies" after so many segments; the turn itself never ends. */
async function playAndDie(options: PlayOnceOptions, segments: number): Promise<void> {
  const { promise: death, resolve } = Promise.withResolvers<void>()
  const world = { ...options.world, objects: dyingObjects(options.world.objects, segments, resolve) }
  await Promise.race([playOnce({ ...options, world }), death])
  // What was asked for beside the effect whose segment was not written has begun by then.
  await rest()
}

describe('an episode that is taken up again', () => {
  test('gives the same tree after a crash at any effect, and makes no committed call again', async () => {
    await fc.assert(
      fc.asyncProperty(episodes, async (episode) => {
        const { bytes, effects } = await uninterrupted(episode)
        for (let crashAfter = 0; crashAfter <= effects; crashAfter += 1) {
          const world = await openTestWorld()
          const seeds: number[] = []
          const options = toOptions(episode, world, ({ seed }) => seeds.push(seed))
          await playAndDie(options, crashAfter)
          const before = await committedEffects(options)
          const madeBefore = new Set(seeds.slice())
          seeds.length = 0
          const { outcome } = await playOnce({ ...options, writer: 'second' })
          expect(outcome.type).toBe('ended')
          expect(await treeBytes(options)).toBe(bytes)
          const total = (await committedEffects(options)).length
          expect(total).toBe(effects)
          expect(seeds.length).toBe(total - before.length)
          expect(madeBefore.size).toBeGreaterThanOrEqual(before.length)
        }
      }),
      { numRuns: 12 },
    )
  })

  test('gives the same tree when two workers play it at once', async () => {
    await fc.assert(
      fc.asyncProperty(episodes, async (episode) => {
        const { bytes, effects } = await uninterrupted(episode)
        const options = toOptions(episode, await openTestWorld())
        const turns = await Promise.all(['left', 'right'].map((writer) => playOnce({ ...options, writer })))
        const kinds = turns.map(({ outcome }) => (outcome.type === 'left' ? outcome.reason : outcome.type))
        expect(kinds.toSorted()).toEqual(effects === 0 ? expect.anything() : ['ended', 'fenced'])
        expect(await treeBytes(options)).toBe(bytes)
        expect((await committedEffects(options)).length).toBe(effects)
      }),
      { numRuns: 30 },
    )
  })

  test('gives the same tree when answers to journal writes are lost', async () => {
    await fc.assert(
      fc.asyncProperty(episodes, fc.nat(), async (episode, chance) => {
        const { bytes, effects, calls } = await uninterrupted(episode)
        const world = await openTestWorld()
        const random = seededRandom('lost', chance)
        const made: number[] = []
        const options = toOptions(episode, world, ({ seed }) => made.push(seed))
        const lossy = { ...world, objects: lossyObjects(world.objects, () => random() < 0.3) }
        expect((await playOnce({ ...options, world: lossy })).outcome.type).toBe('ended')
        expect(await treeBytes(options)).toBe(bytes)
        expect((await committedEffects(options)).length).toBe(effects)
        expect(made.length).toBe(calls)
      }),
      { numRuns: 20 },
    )
  })

  test('gives the tree of eight iterations when four more are added, with only the missing calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const toEpisode = (iterations: number): Episode => ({
          seed,
          depth: 4,
          method: { id: 'mcts', iterations, samples: 3, max_depth: 4 },
        })
        const whole = await uninterrupted(toEpisode(8))
        const part = await uninterrupted(toEpisode(4))
        const world = await openTestWorld()
        let calls = 0
        await playOnce(toOptions(toEpisode(4), world))
        const options = toOptions(toEpisode(8), world, () => {
          calls += 1
        })
        await playOnce({ ...options, writer: 'extension' })
        expect(await treeBytes(options)).toBe(whole.bytes)
        expect(calls).toBe(whole.calls - part.calls)
      }),
      { numRuns: 10 },
    )
  })
})
