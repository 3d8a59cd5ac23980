import type { SearchNode } from '../../search/tree.ts'

export class Outcomes {
  readonly #sums = new Map<number, { count: number; sum: number; squares: number }>()

  add(path: readonly SearchNode[], reward: number): void {
    for (const { index } of path) {
      const { count, sum, squares } = this.#sums.get(index) ?? { count: 0, sum: 0, squares: 0 }
      this.#sums.set(index, { count: count + 1, sum: sum + reward, squares: squares + reward ** 2 })
    }
  }

  /** Population standard deviation of the rewards below the node; 0 below one end. */
  spread({ index }: SearchNode): number {
    const { count, sum, squares } = this.#sums.get(index) ?? { count: 1, sum: 0, squares: 0 }
    return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
  }
}
