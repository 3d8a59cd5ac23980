import { leastDollars } from '../../shared/core/contracts/limits.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Sweep } from './sweep-file.ts'

export type Budget = Sweep['budget']

const fields = ['cost', 'tokens'] as const

export function spentBy(runs: readonly Run[]): { cost: number | null; tokens: number } {
  return runs.reduce<{ cost: number | null; tokens: number }>(
    (sum, { usage }) => ({
      cost: sum.cost === null || usage.cost === null ? null : sum.cost + usage.cost,
      tokens: sum.tokens + usage.input_tokens + usage.output_tokens,
    }),
    { cost: 0, tokens: 0 },
  )
}

/**
 * Computes the caps of a run about to start or resume: an equal share of the remaining budget for each run that can
 * play in parallel, within the sweep's own caps per run. The unused allowance of active runs counts as used.
 * @param going - active runs
 * @param over - inactive runs, including paused ones
 * @param places - how many runs, including this one, share the remaining budget
 * @returns null if nothing is left
 */
export function shareBudget(
  budget: Budget,
  own: Budget,
  { going, over, places }: { going: readonly Run[]; over: readonly Run[]; places: number },
): Budget | null {
  const caps: Budget = {}
  for (const field of fields) {
    const whole = budget[field]
    if (whole === undefined) {
      if (own[field] !== undefined) caps[field] = own[field]
      continue
    }
    const held = going.reduce(
      (sum, run) => sum + Math.max(usedBy(run, field), run.request.limits[field] ?? 0),
      0,
    )
    const used = over.reduce((sum, run) => sum + usedBy(run, field), 0)
    const share = (whole - held - used) / places
    const cap = Math.min(
      field === 'tokens' ? Math.floor(share) : share,
      own[field] ?? Number.POSITIVE_INFINITY,
    )
    if (cap < (field === 'tokens' ? 1 : leastDollars)) return null
    caps[field] = cap
  }
  return caps
}

export function usedBy({ usage }: Run, field: keyof Budget): number {
  return field === 'cost' ? (usage.cost ?? 0) : usage.input_tokens + usage.output_tokens
}
