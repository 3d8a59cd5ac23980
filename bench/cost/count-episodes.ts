import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { economy } from '../../functions/aws/economy.ts'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { type Run, type RunRequestInput, runRequestSchema } from '../../shared/core/contracts/run.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { readJournal } from '../../shared/core/engine/read-journal.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { countingWorld } from '../../test/support/counting-world.ts'
import { type CountedEconomy, openCountedEngine } from './open-counted-engine.ts'
import type { Operations } from './operations.ts'

export interface CountedEpisodes {
  episodes: number
  calls: number
  operations: Operations
  purposes: Map<string, number>
  waves: number[][][]
}

export interface EpisodesToCount {
  method: RunRequestInput['method']
  /** True if they use the learning of the same run, which is not counted. @default false */
  learned?: boolean
  episodes: number
  batch: number
  economy?: CountedEconomy
}

/**
 * Plays the example environment's test tasks with the simulated model through the real engine over a real local world, with a
 * separate engine for each batch of messages, and counts. Answers are immediate, so each segment of a journal holds
 * concurrent calls.
 */
export async function countEpisodes({
  method,
  learned = false,
  episodes,
  batch,
  economy: given = economy,
}: EpisodesToCount): Promise<CountedEpisodes> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-cost-'))
  const local = await openLocalWorld({ folder })
  try {
    const earlier = learned ? await playRun(local, local, { method, episodes, batch, economy: given }) : null
    const { world, counted, purposes } = countingWorld(local)
    const taught = earlier === null ? method : { ...method, library: earlier.run.library }
    const { run, waves } = await playRun(world, local, { method: taught, episodes, batch, economy: given })
    const calls = run.usage.model_calls
    return { episodes, calls, operations: counted(), purposes: purposes(), waves }
  } finally {
    await local.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function playRun(
  world: World,
  local: World,
  { method, episodes, batch, economy: given = economy }: Omit<EpisodesToCount, 'learned'>,
): Promise<{ run: Run; waves: number[][][] }> {
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method,
    tasks: { split: 'test', limit: episodes },
    model: { endpoint: 'simulated', id: 'simulated' },
    max_parallel: episodes,
    limits: { cost: 1000 },
  })
  const { id } = await openCountedEngine(world, 'api').runs.of('cost').create(request)
  const waves: number[][][] = []
  let played: string[]
  do {
    played = await invoke(world, local, {
      name: `lambda-${waves.length}`,
      batch,
      economy: given,
    })
    if (played.length > 0) waves.push(await Promise.all(played.map((episode) => wavesOf(local, id, episode))))
  } while (played.length > 0)
  const run = await openCountedEngine(local, 'reader').runs.of('cost').get(id)
  if (run.status !== 'succeeded') throw new Error(`The run is ${run.status}: ${run.status_reason}`)
  return { run, waves }
}

async function invoke(
  world: World,
  local: World,
  worker: { name: string; batch: number; economy: CountedEconomy },
): Promise<string[]> {
  const messages = await local.queues.episodes.receive({ max: worker.batch, wait: 0, visibility: 3600 })
  if (messages.length === 0) return []
  const { presence, runner } = openCountedEngine(world, worker.name, worker.economy)
  await presence.begin()
  await Promise.all(messages.map((message) => runner.play(message, false)))
  await runner.leave()
  await presence.end({ isSettled: true })
  for (const { receipt } of messages) await local.queues.episodes.delete(receipt)
  return messages.map(({ body }) => (body as { episode: string }).episode)
}

async function wavesOf({ objects }: World, run: string, episode: string): Promise<number[]> {
  const { records } = await readJournal(objects, objectKeys.journal(run, episode, 1))
  const waves: number[] = []
  for (const record of records) {
    if ('segment' in record) waves.push(0)
    else if ('effect' in record) waves.push((waves.pop() ?? 0) + 1)
  }
  return waves
}
