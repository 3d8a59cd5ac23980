import type { CostLine } from './cost-of-canary.ts'
import type { StageMeasures } from './meters.ts'
import type { PlayedRun } from './play-on-stage.ts'
import type { RemovedTraces } from './remove-traces.ts'

export interface Spread {
  count: number
  p50: number
  p90: number
  p99: number
}

export interface CanaryRunResult {
  name: string
  run: string
  status: string
  seconds: number
  episodes: Record<string, number>
  sameTrees: number
  /** Working seconds per episode. */
  working: Spread
  hops: Record<string, number>
}

export interface CanaryResult {
  id: string
  stage: string
  findings: string[]
  runs: CanaryRunResult[]
  api: Record<string, Spread>
  refusals: Record<string, number>
  /** Null if the meters could not be read; the reason is in `notes`. */
  measures: StageMeasures | null
  cost: CostLine[]
  removed: RemovedTraces | null
  notes: string[]
}

export function resultOfRun(name: string, stage: PlayedRun, here: PlayedRun): CanaryRunResult {
  const { run, episodes, trees } = stage
  const ended = episodes.flatMap(({ result }) => result ?? [])
  const between = Date.parse(run.ended_at ?? '') - Date.parse(run.started_at ?? run.created_at)
  return {
    name,
    run: run.id,
    status: run.status,
    seconds: Number.isNaN(between) ? 0 : between / 1000,
    episodes: run.episodes,
    sameTrees: here.episodes.filter(({ id }) => trees.has(id) && trees.get(id) === here.trees.get(id)).length,
    working: spreadOf(ended.map(({ working_seconds }) => working_seconds)),
    hops: countsOf(episodes.map(({ starts }) => starts)),
  }
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

function countsOf(values: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values.toSorted((one, other) => one - other)) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
