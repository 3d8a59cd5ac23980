import type { BudgetKind } from '../../../shared/core/contracts/curve.ts'
import type { IntervalKind } from '../../../shared/core/contracts/report.ts'

export const mostRuns = 20

export interface CompareChoice {
  /** Run ids; the first is the baseline. */
  runs: string[]
  interval: IntervalKind
  over: BudgetKind
}

export type ChangeChoice = (toChanges: (now: CompareChoice) => Partial<CompareChoice>) => void

const intervals: readonly IntervalKind[] = ['t', 'bootstrap']
const budgets: readonly BudgetKind[] = ['calls', 'tokens', 'cost']

export function readChoice(address: URLSearchParams): CompareChoice {
  const named = (address.get('runs') ?? '').split(',').map((run) => run.trim())
  return {
    runs: [...new Set(named.filter((run) => run !== ''))].slice(0, mostRuns),
    interval: intervals.find((kind) => kind === address.get('interval')) ?? 't',
    over: budgets.find((kind) => kind === address.get('over')) ?? 'calls',
  }
}

export function writeChoice({ runs, interval, over }: CompareChoice): string {
  const parts = [
    runs.length > 0 ? `runs=${runs.map(encodeURIComponent).join(',')}` : null,
    interval === 't' ? null : `interval=${interval}`,
    over === 'calls' ? null : `over=${over}`,
  ]
  return parts.filter((part) => part !== null).join('&')
}
