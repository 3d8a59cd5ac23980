import type { Run } from '../../../shared/core/contracts/run.ts'
import type { RunEvent } from '../../../shared/core/contracts/run-event.ts'
import type { Usage } from '../../../shared/core/contracts/usage.ts'
import { projectedSpending, spentOf } from './run-caps.ts'

export const spendingMeasures = ['cost', 'tokens'] as const
export type SpendingMeasure = (typeof spendingMeasures)[number]

export interface SpendingPoint {
  seconds: number
  spent: number
}

export interface SpendingOverTime {
  points: SpendingPoint[]
  // From the last point to the last episode, if the others spend as much and come as fast; null: the run is over.
  ahead: SpendingPoint | null
  cap: number | null
  // Seconds at which the cap is reached on the way ahead; null: not before the last episode.
  reached: number | null
}

const mostPoints = 400

const amountOf = ({ cost, input_tokens, output_tokens }: Usage, measure: SpendingMeasure): number | null =>
  measure === 'cost' ? cost : input_tokens + output_tokens

/**
 * Adds up what each episode took at its end, from the events of a run. An episode that goes on after its end counts
 * the difference. The last point is the run's own sum, which also has episodes under way and lost calls.
 * @param now - in milliseconds; the time of the last point of a run that plays
 * @returns null if nothing was spent yet, or an endpoint states no prices
 */
export function spendingOverTime(
  run: Run,
  events: readonly RunEvent[],
  measure: SpendingMeasure,
  now: number,
): SpendingOverTime | null {
  const whole = spentOf(run)[measure]
  const began = Date.parse(run.started_at ?? run.created_at)
  const known = new Map<string, number>()
  const points: SpendingPoint[] = [{ seconds: 0, spent: 0 }]
  let spent = 0
  for (const event of events) {
    if (event.type !== 'episode.ended') continue
    const amount = amountOf(event.result.usage, measure)
    if (amount === null) return null
    const before = known.get(event.episode) ?? 0
    known.set(event.episode, amount)
    spent += amount >= before ? amount - before : amount
    const last = points.at(-1)?.seconds ?? 0
    points.push({ seconds: Math.max(last, (Date.parse(event.created_at) - began) / 1000), spent })
  }
  if (whole === null || whole === 0) return null
  const isLive = run.status === 'running'
  const last = points.at(-1)?.seconds ?? 0
  const end = isLive ? now : run.ended_at === null ? began + last * 1000 : Date.parse(run.ended_at)
  const current = { seconds: Math.max(last, (end - began) / 1000), spent: Math.max(spent, whole) }
  const cap = run.request.limits[measure] ?? null
  const ahead = isLive ? aheadOf(run, measure, current) : null
  return { points: thinned([...points, current]), ahead, cap, reached: reachedAt(current, ahead, cap) }
}

function aheadOf(
  run: Run,
  measure: SpendingMeasure,
  { seconds, spent }: SpendingPoint,
): SpendingPoint | null {
  const whole = projectedSpending(run)?.[measure] ?? null
  if (whole === null || whole <= spent) return null
  return { seconds: seconds * (whole / spent), spent: whole }
}

function reachedAt(from: SpendingPoint, to: SpendingPoint | null, cap: number | null): number | null {
  if (to === null || cap === null || cap > to.spent) return null
  if (cap <= from.spent) return from.seconds
  return from.seconds + ((cap - from.spent) / (to.spent - from.spent)) * (to.seconds - from.seconds)
}

function thinned(points: readonly SpendingPoint[]): SpendingPoint[] {
  const different = points.filter(({ seconds, spent }, place) => {
    const before = points[place - 1]
    return before?.seconds !== seconds || before.spent !== spent
  })
  const each = Math.ceil(different.length / mostPoints)
  return different.filter((_, place) => place % each === 0 || place === different.length - 1)
}
