/** What a search thinks of the states of its tree, value by value: never more than it knew by then. */
export class Beliefs {
  readonly #own = new Map<number, number>()
  readonly #passed = new Map<number, { visits: number; sum: number }>()

  /** @param path - from the root to the node that was given the value */
  add(path: readonly number[], value: number): void {
    const end = path.at(-1)
    if (end !== undefined && !this.#own.has(end)) this.#own.set(end, value)
    for (const node of path) {
      const { visits, sum } = this.#passed.get(node) ?? { visits: 0, sum: 0 }
      this.#passed.set(node, { visits: visits + 1, sum: sum + value })
    }
  }

  /** The value that the state itself was given, else the mean of what came back through it; null before anything did. */
  of(node: number): number | null {
    const own = this.#own.get(node)
    if (own !== undefined) return own
    const passed = this.#passed.get(node)
    return passed === undefined ? null : passed.sum / passed.visits
  }
}
