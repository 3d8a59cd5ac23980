import type { Random } from './random.ts'

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

export function sampled<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  return shuffled(items, random).slice(0, count)
}

export function choose<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)]
}
