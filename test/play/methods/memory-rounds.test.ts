import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { openMemoryReader } from '../../../shared/core/engine/memories/open-memory-reader.ts'
import { readJournal } from '../../../shared/core/engine/read-journal.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const everything = {
  policy_threshold: 0,
  policy_recall: 100,
  policy_likeness: -1,
  reflect_value: false,
  success: 'environment',
}
const method = {
  id: 'rmcts',
  value: 'debate',
  verdicts: 1,
  iterations: 2,
  max_steps: 2,
  round_size: 2,
  ...everything,
}

async function playRun(world: World, parameters: object = {}): Promise<string> {
  const environment = withTasks(createHashEnvironment(3, { depth: 3 }), 5)
  const engine = openTestEngine({ world, environment })
  engine.worker.start()
  const { id } = await engine.runs.create(
    toRequest({ method: { ...method, ...parameters }, max_parallel: 1 }),
  )
  const run = await untilStatus(engine, id, 'succeeded', 'failed', 'paused')
  expect([run.status, engine.errors]).toEqual(['succeeded', []])
  return id
}

/** The notes that an episode was given, by their ids. */
async function recalled({ objects }: World, run: string, index: number): Promise<Set<string>> {
  const prefix = `runs/${run}/episodes/${episodeId(index)}/attempts/1/journal/`
  const { records } = await readJournal(objects, prefix)
  const found = records.flatMap((record) =>
    'effect' in record && record.effect.startsWith('recall/')
      ? (record.result as unknown as MemoryNote[])
      : [],
  )
  return new Set(found.map(({ id }) => id))
}

test('an episode is given what earlier rounds wrote, and nothing of its own round', async () => {
  const world = await openTestWorld()
  const run = await playRun(world)
  const memory = openMemoryReader(world)
  const all = await memory.notesOf(run, { before: null })
  // The first of each round has something that the second could see.
  expect(all.map(({ episode }) => episode)).toEqual(expect.arrayContaining([0, 2].map(episodeId)))
  for (const index of [0, 1, 2, 3, 4]) {
    const known = all.filter(({ episode }) => episode < episodeId(index - (index % 2)))
    expect(await recalled(world, run, index)).toEqual(new Set(known.map(({ id }) => id)))
  }
})

test('a run that begins with the memory of another knows it from its first episode on', async () => {
  const world = await openTestWorld()
  const first = await playRun(world)
  const earlier = await openMemoryReader(world).notesOf(first, { before: null })
  const run = await playRun(world, { memory_from: first.replace(/^run-/, 'mem-') })
  expect(await recalled(world, run, 0)).toEqual(new Set(earlier.map(({ id }) => id)))
})
