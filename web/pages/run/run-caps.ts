import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'

const names = ['cost', 'tokens', 'time'] as const

type CapName = (typeof names)[number]

export function spentOf({ usage, running_seconds }: Pick<Run, 'usage' | 'running_seconds'>) {
  return {
    cost: usage.cost,
    tokens: usage.input_tokens + usage.output_tokens,
    time: running_seconds,
  } satisfies Record<CapName, number | null>
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
