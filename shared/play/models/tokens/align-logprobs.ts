export interface StatedLogprob {
  id: unknown
  logprob: number | null
}

/**
 * Aligns log-probabilities with more tokens than they are. llama.cpp states one for each whole character: it leaves
 * out tokens that end within one. A log-probability counts only if its place is the only possible one.
 *
 * @returns one for each token, null if unknown; null if none can be placed
 */
export function alignLogprobs(
  ids: readonly number[],
  stated: readonly StatedLogprob[],
): (number | null)[] | null {
  const first = placesFrom(ids, stated)
  const last = placesFrom(ids.toReversed(), stated.toReversed())
  if (first === null || last === null) return null
  const aligned: (number | null)[] = ids.map(() => null)
  for (const [nth, { logprob }] of stated.entries()) {
    const place = first[nth] as number
    const latest = ids.length - 1 - (last[stated.length - 1 - nth] as number)
    if (place === latest) aligned[place] = logprob
  }
  return aligned.every((logprob) => logprob === null) ? null : aligned
}

// The earliest place of each; null if they are no subsequence.
function placesFrom(ids: readonly number[], stated: readonly StatedLogprob[]): number[] | null {
  let next = 0
  const places: number[] = []
  for (const { id } of stated) {
    const place = ids.indexOf(id as number, next)
    if (place < 0) return null
    places.push(place)
    next = place + 1
  }
  return places
}
