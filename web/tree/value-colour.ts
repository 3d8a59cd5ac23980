export interface ValueRange {
  low: number
  high: number
}

/**
 * The range of a tree's values: 0 to 1, like rewards. It starts at −1 if there are punishments, as on the debate's
 * scale, and widens to include all values. It covers the whole search, so that a colour has the same meaning at every
 * moment.
 */
export function valueRange(values: Iterable<number>): ValueRange {
  let low = 0
  let high = 1
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return { low: low < 0 && low > -1 ? -1 : low, high }
}

export function valueShare({ low, high }: ValueRange, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

export function shareColour(share: number): string {
  const [end, part] = share < 0.5 ? (['low', 1 - share * 2] as const) : (['high', share * 2 - 1] as const)
  return `color-mix(in srgb, var(--value-${end}) ${Math.round(part * 1000) / 10}%, var(--value-middle))`
}
