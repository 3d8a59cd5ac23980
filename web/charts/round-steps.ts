import type { Domain } from './plot-domain.ts'

const mantissas = [1, 2, 5]

/** 1, 2, 5, 10, 20, 50 … from the lower to the upper end, as the budgets of curves go. */
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

/** The greatest step that is no greater than the number, which is above 0. */
export function stepBelow(number: number): number {
  const power = powerBelow(number)
  return [5, 2].map((mantissa) => toStep(mantissa, power)).find((step) => step <= number) ?? toStep(1, power)
}

/** The least step that is no less than the number, which is above 0. */
export function stepAbove(number: number): number {
  const power = powerBelow(number)
  return (
    mantissas.map((mantissa) => toStep(mantissa, power)).find((step) => step >= number) ??
    toStep(1, power + 1)
  )
}

/** Read from its digits, so that 0.2 is 0.2: products with powers of ten are not. */
function toStep(mantissa: number, power: number): number {
  return Number(`${mantissa}e${power}`)
}

function powerBelow(number: number): number {
  return Number(number.toExponential().split('e')[1])
}
