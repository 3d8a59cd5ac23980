export type Settings = Readonly<Record<string, string>>

/**
 * Few combinations of factors in which every allowed pair of their values meets. Greedy, and the same at each call.
 *
 * @param factors - the values of each, as settings to merge
 * @param isAllowed - false for settings that exclude each other
 */
export function pairwise(
  factors: readonly (readonly Settings[])[],
  isAllowed: (settings: Settings) => boolean,
): Settings[] {
  const open = new Map(
    pairsOf(factors)
      .filter(([one, other]) => isAllowed({ ...settingsOf(factors, one), ...settingsOf(factors, other) }))
      .map((pair) => [keyOf(pair), pair]),
  )
  const found: Settings[] = []
  for (const pair of open.values()) {
    const chosen = complete(factors, pair, isAllowed, open)
    found.push(mergeAll(factors, chosen))
    for (const covered of pairsWithin(chosen)) open.delete(keyOf(covered))
  }
  return found
}

type Choice = readonly [factor: number, value: number]
type Pair = readonly [one: Choice, other: Choice]

function complete(
  factors: readonly (readonly Settings[])[],
  pair: Pair,
  isAllowed: (settings: Settings) => boolean,
  open: ReadonlyMap<string, Pair>,
): Choice[] {
  const chosen: Choice[] = [...pair]
  for (const [factor, values] of factors.entries()) {
    if (chosen.some(([taken]) => taken === factor)) continue
    const best = values
      .map((_, value): Choice => [factor, value])
      .filter((choice) => isAllowed(mergeAll(factors, [...chosen, choice])))
      .map((choice) => ({ choice, gain: gainOf(chosen, choice, open) }))
      .reduce<{ choice: Choice; gain: number } | null>(
        (most, one) => (most === null || one.gain > most.gain ? one : most),
        null,
      )
    if (best === null) throw new Error(`No value of factor ${factor} goes with the others.`)
    chosen.push(best.choice)
  }
  return chosen.toSorted(([one], [other]) => one - other)
}

function gainOf(chosen: readonly Choice[], choice: Choice, open: ReadonlyMap<string, Pair>): number {
  return chosen.filter((one) => open.has(keyOf(inOrder(one, choice)))).length
}

function pairsOf(factors: readonly (readonly Settings[])[]): Pair[] {
  const all = factors.flatMap((values, factor) => values.map((_, value): Choice => [factor, value]))
  return pairsWithin(all).filter(([[one], [other]]) => one !== other)
}

function pairsWithin(choices: readonly Choice[]): Pair[] {
  return choices.flatMap((one, index) => choices.slice(index + 1).map((other) => inOrder(one, other)))
}

function inOrder(one: Choice, other: Choice): Pair {
  return one[0] <= other[0] ? [one, other] : [other, one]
}

function keyOf(pair: Pair): string {
  return pair.flat().join(' ')
}

function settingsOf(factors: readonly (readonly Settings[])[], [factor, value]: Choice): Settings {
  return factors[factor]?.[value] ?? {}
}

function mergeAll(factors: readonly (readonly Settings[])[], choices: readonly Choice[]): Settings {
  return Object.assign({}, ...choices.map((choice) => settingsOf(factors, choice)))
}
