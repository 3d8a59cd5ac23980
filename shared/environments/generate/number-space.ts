import { digestText, mixNumber } from '../../core/random/random.ts'

export function combinations(items: number, chosen: number): bigint {
  if (chosen < 0 || chosen > items) return 0n
  let ways = 1n
  for (let at = 1; at <= chosen; at += 1) ways = (ways * BigInt(items - chosen + at)) / BigInt(at)
  return ways
}

export function factorial(items: number): bigint {
  let ways = 1n
  for (let at = 2; at <= items; at += 1) ways *= BigInt(at)
  return ways
}

/**
 * Decodes choices from a number (mixed radix). Each number below the product of all ways is a different series of
 * choices.
 * @example
 * const choices = new NumberChoices(number)
 * const room = choices.pick(rooms)
 * const balls = choices.subset(names, 2)
 */
export class NumberChoices {
  #rest: bigint

  constructor(number: bigint) {
    this.#rest = number
  }

  take(ways: number): number {
    return Number(this.takeLarge(BigInt(ways)))
  }

  takeLarge(ways: bigint): bigint {
    const digit = this.#rest % ways
    this.#rest /= ways
    return digit
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.take(items.length)] as Item
  }

  subset<Item>(items: readonly Item[], count: number): Item[] {
    let rank = this.takeLarge(combinations(items.length, count))
    const chosen: Item[] = []
    for (const [at, item] of items.entries()) {
      const missing = count - chosen.length
      if (missing === 0) break
      const without = combinations(items.length - at - 1, missing)
      if (rank < without) continue
      rank -= without
      chosen.push(item)
    }
    return chosen
  }

  order<Item>(items: readonly Item[]): Item[] {
    const left = [...items]
    return items.map(() => left.splice(this.take(left.length), 1)[0] as Item)
  }
}

const rounds = 6
const word = 32n
const wordMask = (1n << word) - 1n

/**
 * A keyed permutation of the numbers below `size` that looks random. It draws tasks without repetition and without a
 * list of them. A Feistel network over the smallest even number of bits, walked until it is within the size (Black
 * and Rogaway, 2002).
 */
export function permutation(size: bigint, key: string): (position: bigint) => bigint {
  const bits = (size - 1n).toString(2).length
  const half = BigInt(Math.ceil(bits / 2))
  const mask = (1n << half) - 1n
  const keyDigest = digestText(key)
  const mix = (value: bigint, round: number): bigint => {
    let digest = mixNumber(keyDigest, round)
    for (let rest = value; rest > 0n; rest >>= word) digest = mixNumber(digest, Number(rest & wordMask))
    let mixed = 0n
    for (let at = 0; BigInt(at) * word < half; at += 1) {
      mixed = (mixed << word) | BigInt(mixNumber(digest, at))
    }
    return mixed & mask
  }
  return (position) => {
    let value = position
    do {
      let [left, right] = [value >> half, value & mask]
      for (let round = 0; round < rounds; round += 1) [left, right] = [right, left ^ mix(right, round)]
      value = (left << half) | right
    } while (value >= size)
    return value
  }
}
