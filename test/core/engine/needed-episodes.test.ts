import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { mostDeaths } from '../../../shared/core/engine/episodes/blame-episode.ts'
import type { EpisodeRow } from '../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const sharing = { learning: [{ group: 'boil', tasks: ['boil-1'] }], writes: ['library' as const] }
const episode = episodeId(0)

/** A run whose first episode learns for the others, and may be played by workers that die of it. */
async function open() {
  const world = await openTestWorld()
  const engine = openLearningEngine({ world, tasks: ['a', 'b'], sharing })
  const { id: run } = await engine.runs.create(toRequest({ max_retries: 0 }))
  const key = ledgerKeys.episode(run, episode)
  const row = async () => (await world.ledger.get(key)) as EpisodeRow
  /** Three workers take it up alone, one after the other, and die of it. */
  async function dieOfIt() {
    for (let death = 1; death <= mostDeaths; death += 1) {
      const worker = `worker-${(await row()).starts}`
      const { starts } = await row()
      await world.ledger.update({
        key,
        set: { status: 'running', worker, alone_with: worker, starts: starts + 1 },
      })
      await engine.blame({ run, episode }, { worker, evidence: 'It was killed.' })
    }
  }
  return { world, engine, run, row, dieOfIt }
}

test('an episode that others wait for is left for a while when its workers die, and goes on by itself', async () => {
  const { world, engine, run, row, dieOfIt } = await open()
  await dieOfIt()
  expect(await row()).toMatchObject({ status: 'queued', deaths: [], death_waits: 1, result: null })
  const { item: active } = { item: await world.ledger.get(ledgerKeys.active(run, episode)) }
  expect(Number(active?.queued_at)).toBeGreaterThan(world.clock.now() + 30_000)
  // What the wait ends with.
  await world.queues.alone.send([{ body: { run, episode }, group: run }])
  await engine.worker.start()
  const ended = await untilStatus(engine, run, 'succeeded', 'failed')
  expect(ended).toMatchObject({ status: 'succeeded', episodes: { succeeded: 3, errored: 0 } })
})

test('one whose workers die of it time and again ends with what was seen of them', async () => {
  const { run, engine, row, dieOfIt } = await open()
  for (let time = 1; time <= 3; time += 1) await dieOfIt()
  expect(await row()).toMatchObject({ status: 'errored', result: { error: { name: 'WorkerDied' } } })
  expect(await engine.runs.get(run)).toMatchObject({ episodes: { errored: 1 } })
})
