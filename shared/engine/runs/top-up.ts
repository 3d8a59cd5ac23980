import { episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { newEpisodeRow } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import { roundEnd, roundStart } from './rounds.ts'
import type { RunDefinitions } from './run-definition.ts'
import { isOver, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

/** How many episodes are queued between two moves of the cursor. */
const chunkSize = 250

/**
 * How many of a run's places are filled together, at the least: workers take messages in tens, and are paid for by the
 * time of their longest episode, so that episodes queued one by one would each have a worker to themselves.
 */
export function placesAtOnce(maxParallel: number): number {
  return Math.min(10, Math.ceil(maxParallel / 8))
}

/**
 * Queues a run's next episodes until `max_parallel` are in flight, several at a time (see {@link placesAtOnce}), and none
 * before all of earlier rounds have ended. Safe to call at any time by anyone: an episode that is queued twice is played
 * once, and the cursor moves only from where it was read.
 *
 * @param chunks - how many times {@link chunkSize} to queue at most, for callers who are waited for; the next end or sweep queues the
 * rest
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
    // Whatever has ended is of this round or of earlier ones, since nothing of later ones was queued.
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

/** Which episode stands at a position of this generation's work. */
type Work = (position: number) => number

async function openWork(definitions: RunDefinitions, { id, generation, work }: RunRow): Promise<Work> {
  if (work === 'all') return (position) => position
  const listed = await definitions.work(id, generation)
  return (position) => listed[position] as number
}

/** The stretch of the work, by its positions, that is in the same round as what comes next. */
function roundAt(work: Work, row: RunRow): { start: number; end: number } {
  const next = work(row.cursor)
  return {
    start: countBelow(work, roundStart(next, row), row.work_total),
    end: countBelow(work, roundEnd(next, row), row.work_total),
  }
}

/** How many positions of the work, which is in order, hold an index below this one. */
function countBelow(work: Work, index: number, total: number): number {
  let [low, high] = [0, total]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (work(middle) < index) low = middle + 1
    else high = middle
  }
  return low
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
