import { noNumber } from '../../../shared/client/format-quantity.ts'

/** A chance, such as a p-value: three decimals, and never 0 for what is only small. */
export function formatChance(chance: number | null): string {
  if (chance === null) return noNumber
  return chance < 0.001 ? '<0.001' : chance.toFixed(3)
}
