import type { BudgetKind } from '../../../shared/contracts/curve.ts'
import type { IntervalKind } from '../../../shared/contracts/report.ts'

/** More runs than these are compared by no request. */
export const mostRuns = 20

/** What the page compares, and how; it is in its URL. */
export interface CompareChoice {
  /** By their ids; the first is the baseline. */
  runs: string[]
  interval: IntervalKind
  /** What effort is counted in. */
  over: BudgetKind
}

/** Changes the choice, from what it is at that moment. */
export type ChangeChoice = (toChanges: (now: CompareChoice) => Partial<CompareChoice>) => void

const intervals: readonly IntervalKind[] = ['t', 'bootstrap']
const budgets: readonly BudgetKind[] = ['calls', 'tokens', 'cost']

/** Reads an address; what it does not say, or says wrongly, is as by default. A run that is named twice counts once. */
export function readChoice(address: URLSearchParams): CompareChoice {
  const named = (address.get('runs') ?? '').split(',').map((run) => run.trim())
  return {
    runs: [...new Set(named.filter((run) => run !== ''))].slice(0, mostRuns),
    interval: intervals.find((kind) => kind === address.get('interval')) ?? 't',
    over: budgets.find((kind) => kind === address.get('over')) ?? 'calls',
  }
}

/** The query of the page's address; what is as by default is left out. */
export function writeChoice({ runs, interval, over }: CompareChoice): string {
  const parts = [
    runs.length > 0 ? `runs=${runs.map(encodeURIComponent).join(',')}` : null,
    interval === 't' ? null : `interval=${interval}`,
    over === 'calls' ? null : `over=${over}`,
  ]
  return parts.filter((part) => part !== null).join('&')
}
