import { dollars } from '../../bench/cost/dollars.ts'
import type { CanaryResult } from '../canary-result.ts'

// US dollars that the canary may cost by the meters.
export const usualBudget = 5

// US dollars of 1,000 episodes of react by Lambda.
export function expectedCost(page: string): number {
  const table = page.slice(page.indexOf('| 1,000 episodes | react |'))
  const [, total] = /^\| \*\*Total\*\* \| \$([\d.]+) \|/m.exec(table) ?? []
  if (total === undefined) throw new Error('docs/cost.md has no table of 1,000 episodes of react.')
  return Number(total)
}

/**
 * Compares the metered cost of a canary with the page's. Its model answers at once, and its few episodes share the
 * stage's own work, so only the budget is a limit.
 * @throws Error above the budget
 */
export function compareCost(
  canary: Pick<CanaryResult, 'cost' | 'runs'> | null,
  { expected, budget }: { expected: number; budget: number },
): string[] {
  if (canary === null) throw new Error('There is no canary to compare.')
  const total = canary.cost.reduce((sum, line) => sum + (line.dollars ?? 0), 0)
  const episodes = canary.runs.reduce((sum, run) => sum + (run.episodes.total ?? 0), 0)
  const lines = canary.cost.map(
    (line) => `${line.service}: ${line.dollars === null ? 'not metered' : dollars(line.dollars)}`,
  )
  if (total > budget) throw new Error(`${dollars(total)} is above the budget. ${lines.join(', ')}`)
  const each = episodes === 0 ? 0 : (total / episodes) * 1000
  return [
    ...lines,
    `1,000 episodes at this rate: ${dollars(each)}; docs/cost.md has ${dollars(expected)} with a model of 2 s`,
  ]
}
