export interface IndexedTask {
  environment: string
  data: string | null
  task: string
}

/**
 * Numbers tasks in the order of their first appearance. Tasks with the same environment, data and id are equal. If
 * one side does not know its data, as with some imports, environment and id decide.
 */
export class TaskIndex {
  readonly tasks: IndexedTask[] = []
  readonly #byName = new Map<string, number | number[]>()

  add({ environment, data, task }: IndexedTask): number {
    const name = `${environment}\n${task}`
    const known = this.#byName.get(name)
    const numbers = known === undefined ? [] : typeof known === 'number' ? [known] : known
    const found = numbers.find((number) => {
      const other = this.tasks[number]?.data ?? null
      return other === data || other === null || data === null
    })
    if (found !== undefined) {
      const same = this.tasks[found]
      if (same !== undefined) same.data ??= data
      return found
    }
    const number = this.tasks.push({ environment, data, task }) - 1
    this.#byName.set(name, numbers.length === 0 ? number : [...numbers, number])
    return number
  }
}
