import { episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { newEpisodeRow } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinitions } from './run-definition.ts'
import { isFinal, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

/** How many episodes are queued between two moves of the cursor. */
const chunkSize = 100

/**
 * How many of a run's places are filled together, at the least: workers take messages in tens, and are paid for by the
 * time of their longest episode, so that episodes queued one by one would each have a worker to themselves.
 */
export function placesAtOnce(maxParallel: number): number {
  return Math.min(10, Math.ceil(maxParallel / 8))
}

/**
 * Queues a run's next episodes until `max_parallel` are in flight, several at a time (see {@link placesAtOnce}). Safe to
 * call at any time by anyone: an episode that is queued twice is played once, and the cursor moves only from where it was
 * read.
 *
 * @param chunks - how many hundred to queue at most, for callers who are waited for; the next end or sweep queues the rest
 */
export async function topUp(
  world: World,
  store: RunStore,
  definitions: RunDefinitions,
  run: string,
  chunks = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const row = await store.get(run)
    const end = Math.min(row.work_total, row.done + row.max_parallel, row.cursor + chunkSize)
    if (isFinal(row.status) || row.status === 'paused' || row.cursor >= end) return
    if (end < row.work_total && end - row.cursor < placesAtOnce(row.max_parallel)) return
    const indices = await workBetween(definitions, row, end)
    const queued = await Promise.all(indices.map((index) => queueRow(world, row, index)))
    const messages = indices.filter((_, position) => queued[position])
    await world.queues.episodes.send(
      messages.map((index) => ({ body: { run, episode: episodeId(index) }, group: run })),
    )
    await store.change(run, (now) =>
      now.generation === row.generation && now.cursor === row.cursor ? { set: { cursor: end } } : null,
    )
  }
}

async function workBetween(definitions: RunDefinitions, row: RunRow, end: number): Promise<number[]> {
  if (row.work === 'listed') return definitions.work(row.id, row.generation, row.cursor, end)
  return Array.from({ length: end - row.cursor }, (_, offset) => row.cursor + offset)
}

/** Marks the episode as queued in this generation; false when it has already ended in it. */
async function queueRow(world: World, row: RunRow, index: number): Promise<boolean> {
  const { ledger, clock } = world
  const episode = episodeId(index)
  const key = ledgerKeys.episode(row.id, episode)
  const active = { key: ledgerKeys.active(row.id, episode), set: { queued_at: clock.now() } }
  const created = await ledger.transact([
    { key, set: newEpisodeRow(index, row.generation), if: [{ is: 'absent' }] },
    active,
  ])
  if (created.ok) return true
  const again = {
    status: 'queued',
    generation: row.generation,
    worker: null,
    idle_starts: 0,
    errors: 0,
    last_error: null,
  }
  const requeued = await ledger.transact([
    { key, set: again, if: [{ attribute: 'generation', is: 'at_most', value: row.generation - 1 }] },
    active,
  ])
  if (requeued.ok) return true
  const existing = await ledger.get(key)
  return existing?.status === 'queued'
}
