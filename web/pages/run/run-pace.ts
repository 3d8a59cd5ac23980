import { formatDuration } from '../../../shared/client/format-quantity.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { countEnded } from '../../service/follow-run.ts'

/** How many episodes had ended, cancelled ones left out, when the run had been running for so many seconds. */
export interface PacePoint {
  seconds: number
  ended: number
}

/** Seconds that the recent rate is computed over, and the least that say something. */
const span = 60
const leastSpan = 5

export function pacePoint(run: Pick<Run, 'running_seconds' | 'episodes'>): PacePoint {
  return { seconds: run.running_seconds, ended: countEnded(run.episodes) - run.episodes.cancelled }
}

/** Adds what was seen last, and forgets what is older than a minute. A run that is extended starts over. */
export function addPacePoint(points: readonly PacePoint[], point: PacePoint): readonly PacePoint[] {
  const last = points.at(-1)
  if (last !== undefined && point.seconds === last.seconds && point.ended === last.ended) return points
  if (last !== undefined && (point.seconds < last.seconds || point.ended < last.ended)) return [point]
  return [...points.filter(({ seconds }) => seconds >= point.seconds - span), point]
}

export interface Pace {
  /** Episodes a minute while this page watched, a minute at most; null where it has not watched for long enough. */
  recent: number | null
  /** Episodes a minute of all the time that the run was running; null before its first episode has ended. */
  overall: number | null
  /** Seconds until all have ended, at the present rate; null where that is unknown. */
  left: number | null
}

export function paceOf(
  points: readonly PacePoint[],
  run: Pick<Run, 'status' | 'running_seconds' | 'episodes'>,
): Pace {
  const { seconds, ended } = pacePoint(run)
  const first = points[0]
  const watched = first === undefined ? 0 : seconds - first.seconds
  const recent = first === undefined || watched < leastSpan ? null : ((ended - first.ended) / watched) * 60
  const overall = ended === 0 || seconds === 0 ? null : (ended / seconds) * 60
  // Nothing ended lately: it says nothing about when the next one will.
  const rate = recent === null || recent === 0 ? overall : recent
  const open = run.episodes.total - ended
  const isSaid = run.status === 'running' && rate !== null && open > 0
  return { recent, overall, left: isSaid ? (open / rate) * 60 : null }
}

/** An estimated time: whole minutes from two minutes on. */
export function formatLeft(seconds: number): string {
  if (seconds < 120) return formatDuration(seconds)
  return formatDuration(Math.round(seconds / 60) * 60).replace(/ 0 s$/, '')
}
