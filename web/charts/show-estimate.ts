import { noNumber } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'

export function showNumber(value: number, format: (value: number) => string): string {
  return format(value).replace(/^-/, '−')
}

export function showInterval({ lower, upper }: Interval, format: (value: number) => string): string {
  return `[${showNumber(lower, format)}, ${showNumber(upper, format)}]`
}

export function showEstimate({ mean, ci }: Estimate, format: (value: number) => string): string {
  if (mean === null) return noNumber
  return ci === null ? showNumber(mean, format) : `${showNumber(mean, format)} ${showInterval(ci, format)}`
}

type Interval = NonNullable<Estimate['ci']>
