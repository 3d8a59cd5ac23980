import fc from 'fast-check'
import type { Estimate } from '../../../shared/core/contracts/report.ts'

/** An estimate over ten tasks, with an interval where both its ends are given. */
export function estimate(mean: number | null, lower?: number, upper?: number): Estimate {
  const ci =
    lower === undefined || upper === undefined
      ? null
      : { lower, upper, level: 0.95 as const, method: 'clustered-t' }
  return { mean, stderr: null, ci, count: 10, tasks: 10 }
}

/** Any number that JSON can hold. */
export const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Any estimate, of numbers however large; without a mean and without an interval too. */
export const anyEstimate = fc.oneof(
  fc.constant(estimate(null)),
  anyNumber.map((mean) => estimate(mean)),
  fc.tuple(anyNumber, anyNumber, anyNumber).map((numbers) => {
    const [lower, mean, upper] = numbers.toSorted((one, other) => one - other)
    return estimate(mean ?? 0, lower, upper)
  }),
)
