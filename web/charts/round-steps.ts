import type { Domain } from './plot-domain.ts'

const mantissas = [1, 2, 5]

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
