interface Visited {
  visits: number
  value_sum: number
}

/**
 * The paths of several concurrent iterations. Each path is chosen with a virtual loss for those before it: as if
 * their visits had already returned the worst value. So the paths spread over the tree, and the tree does not depend
 * on which model answers first.
 *
 * @see Chaslot et al. 2008, Parallel Monte-Carlo Tree Search: virtual loss
 */
export class Wave<Place extends Visited> {
  readonly paths: Place[][] = []
  readonly #loss: number
  readonly #pending = new Map<Place, number>()

  /** @param loss - the value that a pending visit counts as: the least of the scale in use (−1 for a debate's) */
  constructor(loss = 0) {
    this.#loss = loss
  }

  get size(): number {
    return this.paths.length
  }

  get ends(): Place[] {
    return this.paths.map((path) => path.at(-1) as Place)
  }

  add(path: Place[]): void {
    this.paths.push(path)
    for (const place of path) this.#pending.set(place, this.pendingAt(place) + 1)
  }

  pendingAt(place: Place): number {
    return this.#pending.get(place) ?? 0
  }

  assumed(place: Place): Place {
    const pending = this.pendingAt(place)
    return pending === 0 ? place : withVirtualLoss(place, pending, this.#loss)
  }
}

/**
 * The statistics as if pending visits had already returned the worst value. For N(s), the pending visits of the
 * parent count in the same way.
 *
 * @param pending - visits selected and not yet backed up; 0 changes nothing
 * @param loss - the value of each
 * @example
 * ucb1(withVirtualLoss(child, 1), withVirtualLoss(parent, 1), 0.25)
 */
export function withVirtualLoss<Place extends Visited>(place: Place, pending: number, loss = 0): Place {
  return { ...place, visits: place.visits + pending, value_sum: place.value_sum + loss * pending }
}
