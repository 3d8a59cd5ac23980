import { scaleLinear, scaleLog } from 'd3-scale'
import { tickFormat } from './format-ticks.ts'
import { type Domain, domainOf, within } from './plot-domain.ts'

const mantissas = [1, 2, 5]

interface Tick {
  value: number
  /** In pixels. */
  at: number
  text: string
}

export interface PlotScale {
  isLog: boolean
  /** In pixels; numbers beyond the axis are clamped to its ends. */
  at: (value: number) => number
  ticks: Tick[]
}

/** From this ratio of the greatest number to the smallest on, a linear axis would crowd numbers at one end. */
const logFrom = 10

const mostSteps = 9

/** Interval ends below the smallest number divided by this do not extend a logarithmic axis. */
const mostBelow = 3

const noSpending: Domain = [0, 1]

/** @param isWhole - true for counts, which have no tick between two whole numbers */
export function linearScale(domain: Domain, range: Domain, most: number, isWhole = false): PlotScale {
  const count = isWhole ? Math.max(1, Math.min(most, Math.floor(domain[1] - domain[0]))) : most
  const scale = scaleLinear().domain(domain).range(range).clamp(true)
  const format = tickFormat(domain, count)
  const ticks = scale.ticks(count).map((value) => ({ value, at: scale(value), text: format(value) }))
  return { isLog: false, at: scale, ticks }
}

/**
 * An axis of effort: linear from 0, or logarithmic if the numbers span a wide ratio and none is 0.
 *
 * @param numbers - the numbers to show
 * @param ends - ends of their intervals; those below the axis are clamped to its end
 */
export function effortScale(
  numbers: readonly number[],
  range: Domain,
  {
    ends = [],
    count,
    format,
  }: { ends?: readonly number[]; count: number; format: (value: number) => string },
): PlotScale {
  const least = numbers.reduce((low, number) => Math.min(low, number), Number.POSITIVE_INFINITY)
  const greatest = [...numbers, ...ends].reduce((high, number) => Math.max(high, within(number)), 0)
  const ratio = greatest / least
  const isLog = least > 0 && ratio >= logFrom && Number.isFinite(ratio)
  const named = ({ value, at }: { value: number; at: number }): Tick => ({ value, at, text: format(value) })
  if (!isLog) {
    const domain = greatest > 0 ? domainOf([greatest], { zero: true }) : noSpending
    const scale = linearScale(domain, range, count)
    return { ...scale, ticks: scale.ticks.map(named) }
  }
  const lowest = ends.filter((end) => end > least / mostBelow).reduce((low, end) => Math.min(low, end), least)
  const domain: Domain = [stepBelow(lowest), stepAbove(greatest)]
  const scale = scaleLog().domain(domain).range(range).clamp(true)
  return { isLog, at: scale, ticks: logSteps(domain).map((value) => named({ value, at: scale(value) })) }
}

function logSteps(domain: Domain): number[] {
  const all = roundSteps(domain)
  if (all.length <= mostSteps) return all
  const powers = all.filter((step) => step.toExponential().startsWith('1e'))
  const each = Math.ceil(powers.length / mostSteps)
  return powers.filter((_, index) => index % each === 0)
}

export function roundSteps([low, high]: Domain): number[] {
  const steps: number[] = []
  for (let power = powerBelow(low); power <= powerBelow(high); power++) {
    for (const mantissa of mantissas) {
      const step = toStep(mantissa, power)
      if (step >= low && step <= high) steps.push(step)
    }
  }
  return steps
}

/** The greatest step ≤ the number, which must be > 0. */
export function stepBelow(number: number): number {
  const power = powerBelow(number)
  return [5, 2].map((mantissa) => toStep(mantissa, power)).find((step) => step <= number) ?? toStep(1, power)
}

export function stepAbove(number: number): number {
  const power = powerBelow(number)
  return (
    mantissas.map((mantissa) => toStep(mantissa, power)).find((step) => step >= number) ??
    toStep(1, power + 1)
  )
}

/** Parses the decimal digits, so that 0.2 is exactly 0.2; multiplying by powers of ten is inexact. */
function toStep(mantissa: number, power: number): number {
  return Number(`${mantissa}e${power}`)
}

function powerBelow(number: number): number {
  return Number(number.toExponential().split('e')[1])
}
