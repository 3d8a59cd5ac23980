import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { countEnded, hasEnded } from '../../service/follow-run.ts'

const names = ['cost', 'tokens', 'time'] as const

type CapName = (typeof names)[number]

export function spentOf({ usage, running_seconds }: Pick<Run, 'usage' | 'running_seconds'>) {
  return {
    cost: usage.cost,
    tokens: usage.input_tokens + usage.output_tokens,
    time: running_seconds,
  } satisfies Record<CapName, number | null>
}

/**
 * The amounts at the run's end if its other episodes spend as much as those that ended; null if none ended, or if the
 * run is over.
 */
export function projectedSpending(
  run: Pick<Run, 'usage' | 'running_seconds' | 'episodes' | 'status'>,
): Record<CapName, number | null> | null {
  const ended = countEnded(run.episodes)
  if (ended === 0 || ended === run.episodes.total || hasEnded(run)) return null
  const { cost, time, tokens } = spentOf(run)
  const whole = (spent: number) => (spent / ended) * run.episodes.total
  return { cost: cost === null ? null : whole(cost), tokens: whole(tokens), time: whole(time) }
}

export function reachedCap({ status, status_reason }: Pick<Run, 'status' | 'status_reason'>): CapName | null {
  if (status !== 'paused') return null
  const reached = /^limits\.(\w+) reached/.exec(status_reason ?? '')?.[1]
  return names.find((name) => name === reached) ?? null
}

export function offeredCaps({
  request: { limits },
  ...state
}: Pick<Run, 'request' | 'status' | 'status_reason'>): JsonObject {
  const reached = reachedCap(state)
  const before = reached === null ? undefined : limits[reached]
  const offered = reached === null || before === undefined ? limits : { ...limits, [reached]: before * 2 }
  return offered as JsonObject
}
