import { scaleLinear } from 'd3-scale'
import type { Estimate } from '../../shared/core/contracts/report.ts'

export type Domain = readonly [number, number]

export const tickCount = 5

/** Beyond this bound, differences and ratios overflow. No figure of a run comes near it. */
const farthest = 1e100

export function within(number: number): number {
  return Math.min(farthest, Math.max(-farthest, number))
}

export function endsOf({ mean, ci }: Estimate): number[] {
  if (mean === null) return []
  return ci === null ? [mean] : [mean, ci.lower, ci.upper]
}

/**
 * Returns the smallest range with round ends that contains all numbers. It is never empty: a single number gets a
 * margin.
 *
 * @param zero - true to include 0
 * @example
 * domainOf([0.12, 0.43]) // [0.1, 0.45]
 */
export function domainOf(numbers: readonly number[], { zero = false }: { zero?: boolean } = {}): Domain {
  const held = numbers.map(within)
  if (zero) held.push(0)
  if (held.length === 0) return [0, 1]
  const least = held.reduce((low, number) => Math.min(low, number))
  const greatest = held.reduce((high, number) => Math.max(high, number))
  const [low = 0, high = 1] = scaleLinear().domain(apart(least, greatest)).nice(tickCount).domain()
  return [low, high]
}

/** Widens a range of almost equal numbers, which would yield an axis without length. */
function apart(least: number, greatest: number): [number, number] {
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  if (size < 1e-12) return [-1, 1]
  return greatest - least > size * 1e-9 ? [least, greatest] : [least - size / 10, greatest + size / 10]
}
