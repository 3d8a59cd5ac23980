import {
  type EpisodeEnd,
  type EpisodePurpose,
  type EpisodeResult,
  episodeIndex,
} from '../../contracts/episode.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { World } from '../../world/ports.ts'
import type { EndRow } from '../ends/end-row.ts'
import { type EpisodeRow, hasEnded } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import { isFinal, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

/**
 * Ends of episodes from before the present generation, as long as they have not ended in it. The run's counters hold
 * present states, so these are not in them; cancelling the generation restores them.
 */
export type EarlierEnds = Record<EpisodeEnd, number> & {
  learned: number
}

type Counters = Pick<RunRow, keyof EarlierEnds>

export const noEnds: EarlierEnds = {
  succeeded: 0,
  failed: 0,
  limited: 0,
  errored: 0,
  cancelled: 0,
  learned: 0,
}

export function endsOf({ succeeded, failed, limited, errored, cancelled, learned }: Counters): EarlierEnds {
  return { succeeded, failed, limited, errored, cancelled, learned }
}

export function countLearned(purpose: EpisodePurpose, { status }: Pick<EpisodeResult, 'status'>): number {
  return purpose === 'learn' && status !== 'errored' ? 1 : 0
}

export function withoutEnd(
  ends: EarlierEnds,
  purpose: EpisodePurpose,
  earlier: Pick<EpisodeResult, 'status'>,
): EarlierEnds {
  const { status } = earlier
  const learned = ends.learned - countLearned(purpose, earlier)
  return { ...ends, [status]: ends[status] - 1, learned }
}

export function countersIfCancelled(row: RunRow): Counters {
  const { earlier = noEnds, total } = row
  const add = (end: keyof EarlierEnds) => row[end] + earlier[end]
  const [succeeded, failed, limited, errored] = [
    add('succeeded'),
    add('failed'),
    add('limited'),
    add('errored'),
  ]
  const cancelled = total - succeeded - failed - limited - errored
  return { succeeded, failed, limited, errored, cancelled, learned: add('learned') }
}

/** Counts the earlier ends of a run whose generation was started by an earlier version, which did not count them. */
export async function recordEarlierEnds(world: World, store: RunStore, run: string): Promise<void> {
  for (;;) {
    const row = await store.get(run)
    if (row.earlier !== undefined || row.generation === 1 || isFinal(row.status)) return
    const earlier = await countEarlier(world, row)
    await store.change(run, (now) => (now.sequence === row.sequence ? { set: { earlier } } : null))
  }
}

async function countEarlier({ ledger }: World, row: RunRow): Promise<EarlierEnds> {
  if (row.work === 'listed') return { ...noEnds, errored: row.work_total - row.done }
  const ends = { ...noEnds }
  const counted = new Set<number>()
  for await (const page of pagesOf(ledger, ledgerKeys.episode(row.id, '').partition)) {
    for (const { item } of page) {
      const { generation, index, result, status } = item as EpisodeRow
      const hasEndedInIt = hasEnded(item as EpisodeRow) && generation === row.generation
      if (hasEndedInIt || result === null || status === 'cancelled') continue
      counted.add(index)
      ends[result.status] += 1
      ends.learned += countLearned(index < row.learning ? 'learn' : 'play', result)
    }
  }
  // A replaced end counts until the new one is counted.
  for await (const page of pagesOf(ledger, ledgerKeys.end(row.id, '').partition)) {
    for (const { item } of page) {
      const { earlier, episode, purpose } = item as EndRow
      if (earlier === null || counted.has(episodeIndex(episode) ?? -1)) continue
      ends[earlier.status] += 1
      ends.learned += countLearned(purpose, earlier)
    }
  }
  return ends
}
