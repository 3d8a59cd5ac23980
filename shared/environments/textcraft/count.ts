/**
 * A number of items. Python's integers are unbounded, and a model may request 10^30 logs. A count that a JSON number
 * cannot hold exactly is therefore its decimal digits. Both forms are canonical: equal counts are `===`.
 */
export type Count = number | string

export const longestNumber = 4300

export function parseCount(digits: string): Count {
  return digits.length <= 15 ? Number(digits) : canonical(BigInt(digits))
}

export function addCounts(one: Count, other: Count): Count {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other
    if (Number.isSafeInteger(sum)) return sum
  }
  return canonical(BigInt(one) + BigInt(other))
}

export function subtractCounts(one: Count, other: Count): Count {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other
    if (Number.isSafeInteger(difference)) return difference
  }
  return canonical(BigInt(one) - BigInt(other))
}

export function isLess(one: Count, other: Count): boolean {
  return typeof one === 'number' && typeof other === 'number' ? one < other : BigInt(one) < BigInt(other)
}

function canonical(count: bigint): Count {
  const number = Number(count)
  return Number.isSafeInteger(number) ? number : count.toString()
}
