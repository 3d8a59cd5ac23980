import type { EstimatedLimit } from '../../../core/contracts/estimate.ts'
import type { RunRequest } from '../../../core/contracts/run.ts'
import { noUsage, type Usage } from '../../../core/contracts/usage.ts'
import { cutMost, type Range, usageAmount, withinLimit } from './range.ts'

export interface Limited extends Range {
  limits: EstimatedLimit[]
}

const amounts = ['tokens', 'cost'] as const

/**
 * Applies an episode's limits on tokens and money. Its calls in progress can exceed them.
 *
 * @param wave - maximum usage of those calls
 * @param kept - whether the expected usage was observed under these limits
 */
export function limitEpisode(
  range: Range,
  { episode_limits }: Pick<RunRequest, 'episode_limits'>,
  wave: Usage,
  kept: boolean,
): Limited {
  return applyLimits(range, 'episode_limits', episode_limits, { wave, kept })
}

export function limitRun(range: Range, { limits }: Pick<RunRequest, 'limits'>): Limited {
  return applyLimits(range, 'limits', limits, { wave: noUsage, kept: false })
}

function applyLimits(
  { expected, at_most }: Range,
  param: 'limits' | 'episode_limits',
  given: { tokens?: number | undefined; cost?: number | undefined; time?: number | undefined },
  { wave, kept }: { wave: Usage; kept: boolean },
): Limited {
  const limited: Limited = { expected, at_most, limits: [] }
  for (const of of amounts) {
    const value = given[of]
    if (value === undefined) continue
    limited.limits.push({
      param: `${param}.${of}`,
      value,
      binds: howItBinds(usageAmount(expected, of), usageAmount(at_most, of), value),
    })
    const most = value + usageAmount(wave, of)
    limited.expected = withinLimit(limited.expected, of, kept ? most : value)
    limited.at_most = cutMost(limited.at_most, of, most)
  }
  if (given.time !== undefined)
    limited.limits.push({ param: `${param}.time`, value: given.time, binds: 'unknown' })
  return limited
}

export function howItBinds(expected: number, atMost: number, limit: number): EstimatedLimit['binds'] {
  if (expected > limit) return 'expected'
  return atMost > limit ? 'possible' : 'no'
}
