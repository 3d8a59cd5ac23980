import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'
import { allGroups, openTestRollouts, toRollout } from './open-test-rollouts.ts'

const environment = createTestEnvironment({
  reset: (_task, seed) => ({ state: {}, observation: `problem ${seed}` }),
  step: () => ({ state: {}, observation: 'solved', reward: 1, done: true }),
})
const anySeed = fc.nat({ max: 2 ** 31 - 1 })

test('the seed decides the problems of a rollout, and the sampling seed all that is drawn in play', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anySeed, { minLength: 4, maxLength: 4 }),
      async ([seed = 0, other = 1, drawn = 2, again = 3]) => {
        const plain = await play({ seed })
        const [first, second, elsewhere] = [
          await play({ seed, sampling_seed: drawn }),
          await play({ seed, sampling_seed: again }),
          await play({ seed: other, sampling_seed: drawn }),
        ]
        expect(plain).toEqual(await play({ seed, sampling_seed: seed }))
        expect([first.starts, second.starts]).toEqual([plain.starts, plain.starts])
        expect(elsewhere.starts).not.toEqual(first.starts)
        expect(first.drawn).not.toEqual(second.drawn)
        expect(elsewhere.drawn).toEqual(first.drawn)
      },
    ),
    { numRuns: 5 },
  ))

test('a stored request without a sampling seed has none', async () => {
  const { rollouts, runs } = openTestRollouts({ world: await openTestWorld(), environment })
  const { run } = await rollouts.create(toRollout({ seed: 7 }))
  expect((await runs.get(run)).request).not.toHaveProperty('sampling_seed')
})

// The first prompts of a group, whose members start alike, and the seeds of their samples.
async function play(seeds: { seed: number; sampling_seed?: number }) {
  const calls: { start: string; seed: number }[] = []
  const model = createHashModel({
    onCall({ messages, seed }) {
      if (messages.some(({ role }) => role === 'assistant')) return
      calls.push({ start: messages.map(({ content }) => content).join('\n'), seed })
    },
  })
  const world = await openTestWorld()
  const { rollouts, worker } = openTestRollouts({ world, environment, model })
  await worker.start()
  const { id } = await rollouts.create(toRollout(seeds))
  const [group] = await allGroups(rollouts, id)
  expect(group?.group.status).toBe('complete')
  return {
    starts: new Set(calls.map(({ start }) => start)),
    drawn: calls.map(({ seed }) => seed).toSorted((left, right) => left - right),
  }
}
