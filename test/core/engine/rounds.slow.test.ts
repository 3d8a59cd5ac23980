import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { episodeId, episodeIndex } from '../../../shared/core/contracts/episode.ts'
import { roundEnd, roundStart } from '../../../shared/core/engine/runs/run-definition.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { shuffled } from '../../../shared/core/random/shuffled.ts'
import type { IncomingMessage, World } from '../../../shared/core/world/ports.ts'
import { openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const take = ({ queues }: World, max = 100) => queues.episodes.receive({ max, wait: 0, visibility: 600 })

describe('the rounds of a run', () => {
  test.each([
    [{ learning: 0, round_size: null }, [0, 0, 0, 0, 0, 0]],
    [{ learning: 2, round_size: null }, [0, 0, 2, 2, 2, 2]],
    [{ learning: 0, round_size: 1 }, [0, 1, 2, 3, 4, 5]],
    [{ learning: 1, round_size: 2 }, [0, 1, 1, 3, 3, 5]],
  ])('%o begin at %o', (plan, starts) => {
    expect(starts.map((_, index) => roundStart(index, plan))).toEqual(starts)
  })

  test('follow each other without a gap', () => {
    const plans = fc.record({ learning: fc.nat(5), round_size: fc.option(fc.integer({ min: 1, max: 7 })) })
    fc.assert(
      fc.property(plans, fc.nat(60), (plan, index) => {
        expect(roundStart(index, plan)).toBeLessThanOrEqual(index)
        const end = roundEnd(index, plan)
        expect(end).toBeGreaterThan(index)
        if (Number.isFinite(end)) expect(roundStart(end, plan)).toBe(end)
      }),
    )
  })
})

test('no episode starts before all of earlier rounds have ended, whatever comes twice, errs or is retried', async () => {
  const world = await openTestWorld()
  const cases = fc.record({
    learning: fc.nat(3),
    round_size: fc.option(fc.integer({ min: 1, max: 5 })),
    tasks: fc.integer({ min: 1, max: 6 }),
    epochs: fc.integer({ min: 1, max: 2 }),
    max_parallel: fc.integer({ min: 1, max: 20 }),
    failing: fc.uniqueArray(fc.nat(14), { maxLength: 4 }),
    seed: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ learning, round_size, tasks, epochs, max_parallel, failing, seed }) => {
      const random = seededRandom(seed)
      const open = new Set<number>()
      const early: number[] = []
      const broken = new Set(failing)
      const options = {
        world,
        tasks: Array.from({ length: tasks }, (_, index) => `task-${index}`),
        sharing: {
          learning: Array.from({ length: learning }, (_, index) => ({ group: `g${index}`, tasks: ['x'] })),
          round_size,
        },
        onStart: ({ index, roundStart: start }: { index: number; roundStart: number }) => {
          if ([...open].some((earlier) => earlier < start)) early.push(index)
          if (broken.has(index)) throw new Error('broken')
        },
        onEnd: (episode: string) => open.delete(episodeIndex(episode) as number),
      }
      const left = openLearningEngine({ ...options, worker: 'left' })
      const engines = [left, openLearningEngine({ ...options, worker: 'right' })]
      const { runs } = left
      const total = learning + tasks * epochs
      for (let index = 0; index < total; index += 1) open.add(index)

      /** Until nothing is queued: messages come late, out of order and twice, to either worker. */
      const playAll = async (id: string) => {
        let late: IncomingMessage[] = []
        for (;;) {
          const messages = [...late, ...(await take(world))]
          if (messages.length === 0) return runs.get(id)
          late = messages.filter(() => random() < 0.3)
          for (const message of shuffled(messages, random)) {
            await engines[random() < 0.5 ? 0 : 1]?.runner.play(message, false)
          }
          await left.sweep({ lostAfter: 0 })
        }
      }
      const { id } = await runs.create(toRequest({ epochs, max_parallel, max_retries: 1 }))
      expect(await playAll(id)).toMatchObject({ episodes: { active: 0, waiting: 0, total } })
      expect(early).toEqual([])

      const errored = (await runs.episodes(id, { limit: 100, status: 'errored' })).data
      for (const { index } of errored) open.add(index)
      broken.clear()
      if (errored.length === 0) return
      await runs.retry(id)
      expect(await playAll(id)).toMatchObject({ status: 'succeeded', episodes: { succeeded: total } })
      expect(early).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('rounds of one are played one after the other, each seeing what all before it wrote', async () => {
  const world = await openTestWorld()
  const engine = openLearningEngine({ world, sharing: { round_size: 1, writes: ['memory'] } })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_parallel: 64 }))
  await untilStatus(engine, id, 'succeeded')
  const notes = await engine.memory.notesOf(id, { before: null })
  expect(notes.map(({ episode, note }) => [episode, note])).toEqual(
    [0, 1, 2, 3].map((index) => [episodeId(index), String(index)]),
  )
})

test('the last places of a round are not held back, so that a round of any size comes to its end', async () => {
  const world = await openTestWorld()
  const tasks = Array.from({ length: 23 }, (_, index) => `task-${index}`)
  const { runner, runs } = openLearningEngine({ world, tasks, sharing: { round_size: 11 } })
  const { id } = await runs.create(toRequest({ max_parallel: 64 }))
  const sizes: number[] = []
  for (let messages = await take(world); messages.length > 0; messages = await take(world)) {
    sizes.push(messages.length)
    for (const message of messages) await runner.play(message, false)
  }
  expect(sizes).toEqual([11, 11, 1])
  expect((await runs.get(id)).status).toBe('succeeded')
})
