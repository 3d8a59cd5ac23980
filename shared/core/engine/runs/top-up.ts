import { episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { newEpisodeRow } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import { type RunDefinitions, roundEnd, roundStart } from './run-definition.ts'
import { isOver, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

const chunkSize = 250

/**
 * Minimum number of a run's places to fill together. Workers take messages in tens, and cost the time of their
 * longest episode, so episodes queued one by one would each occupy a worker.
 */
export function placesAtOnce(maxParallel: number): number {
  return Math.min(10, Math.ceil(maxParallel / 8))
}

/**
 * Queues a run's next episodes until `max_parallel` are in flight, several at a time (see {@link placesAtOnce}), and
 * none before all of earlier rounds have ended. Safe to call at any time, concurrently: an episode queued twice is
 * played once, and the cursor moves only from its value as read.
 * @param chunks - maximum number of {@link chunkSize} chunks to queue, for callers with a waiting client; the next
 * end or sweep queues the others
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
    if (isOver(row) || row.status === 'paused' || row.cursor >= row.work_total) return
    const work = await openWork(definitions, row)
    const round = roundAt(work, row)
    // All ended episodes are of this round or of earlier ones, since no later ones were queued.
    if (row.done < round.start) return
    const end = Math.min(round.end, row.done + row.max_parallel, row.cursor + chunkSize)
    if (row.cursor >= end) return
    if (end < round.end && end - row.cursor < placesAtOnce(row.max_parallel)) return
    const indices = Array.from({ length: end - row.cursor }, (_, offset) => work(row.cursor + offset))
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

type Work = (position: number) => number

async function openWork(definitions: RunDefinitions, { id, generation, work }: RunRow): Promise<Work> {
  if (work === 'all') return (position) => position
  const listed = await definitions.work(id, generation)
  return (position) => listed[position] as number
}

function roundAt(work: Work, row: RunRow): { start: number; end: number } {
  const next = work(row.cursor)
  return {
    start: countBelow(work, roundStart(next, row), row.work_total),
    end: countBelow(work, roundEnd(next, row), row.work_total),
  }
}

function countBelow(work: Work, index: number, total: number): number {
  let [low, high] = [0, total]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (work(middle) < index) low = middle + 1
    else high = middle
  }
  return low
}

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
    alone_with: null,
    deaths: [],
    idle_starts: 0,
    cut_turns: 0,
    storage_waits: 0,
    errors: 0,
    last_error: null,
    unplayable: null,
  }
  const requeued = await ledger.transact([
    { key, set: again, if: [{ attribute: 'generation', is: 'at_most', value: row.generation - 1 }] },
    active,
  ])
  if (requeued.ok) return true
  const existing = await ledger.get(key)
  return existing?.status === 'queued'
}
