/**
 * Corrects p-values for the number of tests, so that the chance of even one false difference stays below the level
 * for the corrected values (Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
 * Journal of Statistics 6:65–70): of m values in rising order, the i-th times m − i + 1, none below the one before
 * it, none above 1.
 * @param values null: a test that could show no difference. It counts as one, and stays null
 * @returns in the order of the values
 */
export function correctByHolm(values: readonly (number | null)[]): (number | null)[] {
  const corrected: (number | null)[] = values.map(() => null)
  const order = values
    .flatMap((value, at) => (value === null ? [] : [{ at, value }]))
    .toSorted((left, right) => left.value - right.value)
  let least = 0
  for (const [rank, { at, value }] of order.entries()) {
    least = Math.min(1, Math.max(least, value * (values.length - rank)))
    corrected[at] = least
  }
  return corrected
}
