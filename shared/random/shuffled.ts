import type { Random } from './random.ts'

/** The same items in random order (Fisher-Yates); the argument stays as it is. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1))
    const item = result[last] as Item
    result[last] = result[chosen] as Item
    result[chosen] = item
  }
  return result
}

/** At most `count` of the items, each at most once, in random order. */
export function sampled<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return shuffled(items, random).slice(0, count)
}

/** One of the items; undefined when there are none. */
export function choose<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)]
}
