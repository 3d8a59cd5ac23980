const epsilon = 1e-6

/** `std`: divides by the standard deviation; `none`: only subtracts the mean, as Dr. GRPO (arXiv 2503.20783) does. */
export type Scale = 'std' | 'none'

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * `(x − mean) / (std + 1e-6)`, with the standard deviation of a sample (n − 1), as verl and TRL have it. A value alone
 * is its own mean, so that it gets 0.
 */
export function standardised(values: readonly number[], scale: Scale): number[] {
  if (values.length < 2) return values.map(() => 0)
  const mean = meanOf(values)
  const differences = values.map((value) => value - mean)
  if (scale === 'none') return differences
  const variance = differences.reduce((sum, value) => sum + value * value, 0) / (values.length - 1)
  return differences.map((value) => value / (Math.sqrt(variance) + epsilon))
}

/** Standardises values among those of equal key; null is a key of its own each time. */
export function standardisedWithin(
  values: readonly number[],
  keys: readonly (string | number | null)[],
  scale: Scale,
): number[] {
  const groups = Map.groupBy(values.keys(), (place) => keys[place] ?? Symbol(place))
  const results = values.map(() => 0)
  for (const places of groups.values()) {
    const scaled = standardised(
      places.map((place) => values[place] as number),
      scale,
    )
    for (const [index, place] of places.entries()) results[place] = scaled[index] as number
  }
  return results
}
