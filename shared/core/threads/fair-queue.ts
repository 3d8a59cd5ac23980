/**
 * A queue in which callers take turns: first in, first out for each caller, and one item of every caller before the
 * second of any.
 *
 * @example
 * const queue = new FairQueue<string>()
 * for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item)
 * queue.take() // 'a1', then 'b1', then 'a2'
 */
export class FairQueue<Item> {
  readonly #byCaller = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller)
    if (items) items.push(item)
    else this.#byCaller.set(caller, [item])
    this.#size += 1
  }

  /**
   * Takes the next item.
   *
   * @param mayTake - false for callers that must wait. @default every caller may be next
   * @returns undefined if it has none
   */
  take(mayTake: (caller: string) => boolean = () => true): Item | undefined {
    const next = [...this.#byCaller].find(([caller]) => mayTake(caller))
    if (next === undefined) return undefined
    const [caller, items] = next
    const item = items.shift()
    this.#byCaller.delete(caller)
    if (items.length > 0) this.#byCaller.set(caller, items)
    this.#size -= 1
    return item
  }

  countTakeable(room: (caller: string) => number): number {
    return [...this.#byCaller].reduce((sum, [caller, items]) => sum + Math.min(items.length, room(caller)), 0)
  }

  remove(caller: string, item: Item): boolean {
    const items = this.#byCaller.get(caller) ?? []
    const place = items.indexOf(item)
    if (place < 0) return false
    items.splice(place, 1)
    if (items.length === 0) this.#byCaller.delete(caller)
    this.#size -= 1
    return true
  }
}
