import type { Clock, Uptime } from '../../world/ports.ts'
import type { RunRow } from './run-row.ts'

/** One moment by both clocks: the date, which may be set, and the machine's steady clock, if the world has one. */
export interface Moment {
  now: number
  uptime: Uptime | null
}

export type CountedAt = { now: number; of: string; milliseconds: number }

// The sweeper counts a running run this often. Milliseconds.
const countEvery = 30_000
/**
 * The longest interval counted in one go. A longer one contains no sweep: the service was down, or the date was set.
 * Milliseconds.
 */
const longestStretch = 90_000

export function momentOf(clock: Pick<Clock, 'now' | 'uptime'>): Moment {
  return { now: clock.now(), uptime: clock.uptime?.() ?? null }
}

/**
 * Milliseconds that the run has been running in all. Time since the last count uses the steady clock of the machine
 * that counted, so setting the date changes nothing. On another machine it uses the date, with an upper bound.
 * @param at a number: the date alone, which counts unbounded and never backwards
 */
export function ranFor(row: RunClockRow, at: Moment | number): number {
  return row.running_milliseconds + stretchOf(row, at)
}

type RunClockRow = Pick<RunRow, 'running_since' | 'running_milliseconds' | 'counted_at'>

function stretchOf({ running_since, counted_at }: RunClockRow, at: Moment | number): number {
  if (running_since === null) return 0
  if (typeof at === 'number' || at.uptime === null) {
    const now = typeof at === 'number' ? at : at.now
    return Math.max(0, now - (counted_at?.now ?? running_since))
  }
  const passed = counted_at ? passedSince(counted_at, at) : at.now - running_since
  return Math.min(Math.max(0, passed), longestStretch)
}

/** Milliseconds from one moment to the other: by the steady clock if both were read from the same, else by the date. */
export function passedSince(mark: CountedAt, { now, uptime }: Moment): number {
  return uptime?.of === mark.of ? uptime.milliseconds - mark.milliseconds : now - mark.now
}

export function countedUpTo(
  row: RunClockRow,
  at: Moment | number,
): { running_milliseconds: number; counted_at: CountedAt | null } {
  return {
    running_milliseconds: ranFor(row, at),
    counted_at: typeof at === 'number' ? null : countedFrom(at),
  }
}

export function countedFrom({ now, uptime }: Moment): CountedAt | null {
  return uptime === null ? null : { now, ...uptime }
}

export function isCountDue(row: RunClockRow, at: Moment): boolean {
  return at.uptime !== null && row.running_since !== null && stretchOf(row, at) >= countEvery
}
