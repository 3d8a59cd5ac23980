/**
 * Facts by number, sorted and deduplicated. A state is the list of its true dynamic facts: a plain JSON value, small,
 * quick to copy and equal for equal states.
 */
export type Facts = readonly number[]

export function lowerBound(facts: Facts, fact: number): number {
  let low = 0
  let high = facts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((facts[middle] as number) < fact) low = middle + 1
    else high = middle
  }
  return low
}

export function includesFact(facts: Facts, fact: number): boolean {
  return facts[lowerBound(facts, fact)] === fact
}

export function changeFacts(facts: Facts, added: readonly number[], deleted: readonly number[]): Facts {
  const gone = deleted.filter((fact) => includesFact(facts, fact) && !added.includes(fact))
  const fresh = sortedFacts(added.filter((fact) => !includesFact(facts, fact)))
  if (gone.length === 0 && fresh.length === 0) return facts
  const changed: number[] = []
  let next = 0
  for (const fact of facts) {
    while (next < fresh.length && (fresh[next] as number) < fact) changed.push(fresh[next++] as number)
    if (!gone.includes(fact)) changed.push(fact)
  }
  while (next < fresh.length) changed.push(fresh[next++] as number)
  return changed
}

export function sortedFacts(facts: Iterable<number>): number[] {
  return [...new Set(facts)].sort((one, other) => one - other)
}
