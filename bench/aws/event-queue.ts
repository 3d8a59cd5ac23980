export class EventQueue<Event> {
  readonly #heap: { at: number; order: number; event: Event }[] = []
  #planned = 0

  get size(): number {
    return this.#heap.length
  }

  plan(at: number, event: Event): void {
    const heap = this.#heap
    heap.push({ at, order: this.#planned++, event })
    for (let place = heap.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  next(): { at: number; event: Event } | null {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined) return null
    if (heap.length === 0) return first
    heap[0] = last
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let least = place
      if (left < heap.length && this.#isBefore(left, least)) least = left
      if (right < heap.length && this.#isBefore(right, least)) least = right
      if (least === place) return first
      this.#swap(place, least)
      place = least
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#heap[one], this.#heap[other]]
    if (left === undefined || right === undefined) return false
    return left.at < right.at || (left.at === right.at && left.order < right.order)
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#heap[one], this.#heap[other]]
    if (left === undefined || right === undefined) return
    this.#heap[one] = right
    this.#heap[other] = left
  }
}
