import { scaleLinear } from 'd3-scale'
import type { Estimate } from '../../shared/contracts/report.ts'

/** The least and the greatest number that an axis shows. */
export type Domain = readonly [number, number]

/** About so many ticks an axis has. */
export const tickCount = 5

/** Beyond this, differences and ratios overflow. No figure of a run comes near it. */
const farthest = 1e100

/** A number as near as an axis can show it. */
export function within(number: number): number {
  return Math.min(farthest, Math.max(-farthest, number))
}

/** What an axis must hold of an estimate: its mean and both ends of its interval. */
export function endsOf({ mean, ci }: Estimate): number[] {
  if (mean === null) return []
  return ci === null ? [mean] : [mean, ci.lower, ci.upper]
}

/**
 * The least range that holds all numbers, ended at round ones. It is never empty: around a single number there is room.
 *
 * @param zero - whether it must hold 0 too
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

/** Numbers that hardly differ would give an axis without length. */
function apart(least: number, greatest: number): [number, number] {
  const size = Math.max(Math.abs(least), Math.abs(greatest))
  if (size < 1e-12) return [-1, 1]
  return greatest - least > size * 1e-9 ? [least, greatest] : [least - size / 10, greatest + size / 10]
}
