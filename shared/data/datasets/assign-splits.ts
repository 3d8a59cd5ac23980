import { hash } from 'node:crypto'

export interface TaskPrompt {
  /** Unique across environments and data packs. */
  task: string
  prompt: string
}

/**
 * Divides tasks among splits so that no task and no prompt is in two: tasks that share a prompt stay together. Orders
 * these groups by a hash with the seed, and deals them out to the splits by their shares of the tasks. The same
 * tasks, prompts, shares and seed yield the same splits, in whatever order and however often they come.
 *
 * Each group goes to the split with the most room left. So with groups of single tasks every split has its share to
 * the nearest task. With larger groups it is off by less than the largest group. If there are enough groups, every
 * split has at least one.
 *
 * @param shares - of the tasks, by split; their sum is 1
 * @returns the split of every task
 */
export function assignSplits(
  pairs: Iterable<TaskPrompt>,
  shares: Readonly<Record<string, number>>,
  seed: number,
): Map<string, string> {
  const { names, tops } = groupTasks(pairs)
  const groups = gather(names, tops)
  const splitOf = deal(inOrder(groups, names, seed), groups.sizes, shares)
  return new Map(names.map((name, task) => [name, splitOf[tops[task] as number] as string]))
}

/**
 * Numbers the tasks, and finds the representative of each task's group: tasks with a common prompt are in one group
 * (union-find). Uses numbers, because there may be a million tasks.
 */
function groupTasks(pairs: Iterable<TaskPrompt>): { names: string[]; tops: number[] } {
  const numberOf = new Map<string, number>()
  const firstOf = new Map<string, number>()
  const above: number[] = []
  const topOf = (task: number): number => {
    let top = task
    while (above[top] !== top) {
      // Path halving, for later look-ups.
      above[top] = above[above[top] as number] as number
      top = above[top] as number
    }
    return top
  }
  for (const { task, prompt } of pairs) {
    let number = numberOf.get(task)
    if (number === undefined) {
      number = above.length
      numberOf.set(task, number)
      above.push(number)
    }
    const first = firstOf.get(prompt)
    if (first === undefined) firstOf.set(prompt, number)
    else above[topOf(number)] = topOf(first)
  }
  return { names: [...numberOf.keys()], tops: above.map((_, number) => topOf(number)) }
}

interface Groups {
  sizes: Uint32Array
  least: Uint32Array
}

function gather(names: readonly string[], tops: readonly number[]): Groups {
  const sizes = new Uint32Array(names.length)
  const least = new Uint32Array(names.length)
  for (const [task, top] of tops.entries()) {
    const isLess = (names[task] as string) < (names[least[top] as number] as string)
    if (sizes[top] === 0 || isLess) least[top] = task
    sizes[top] = (sizes[top] as number) + 1
  }
  return { sizes, least }
}

function inOrder({ sizes, least }: Groups, names: readonly string[], seed: number): Uint32Array {
  const places = new Float64Array(sizes.length)
  const nameOf = (top: number) => names[least[top] as number] as string
  const tops = Uint32Array.from(names.keys()).filter((top) => (sizes[top] as number) > 0)
  for (const top of tops) {
    places[top] = Number.parseInt(hash('sha256', `${seed}\n${nameOf(top)}`, 'hex').slice(0, 12), 16)
  }
  return tops.sort((left, right) => {
    // 48 bits of a hash may collide; names never do.
    return (places[left] as number) - (places[right] as number) || (nameOf(left) < nameOf(right) ? -1 : 1)
  })
}

function deal(order: Uint32Array, sizes: Uint32Array, shares: Readonly<Record<string, number>>): string[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const splits = Object.keys(shares)
    .sort()
    .map((name) => ({ name, due: (shares[name] as number) * total, has: 0 }))
  const splitOf = Array<string>(sizes.length)
  for (const [index, top] of order.entries()) {
    const empty = splits.filter(({ has }) => has === 0)
    // The last groups go to splits that would otherwise be empty.
    const open = order.length - index <= empty.length ? empty : splits
    const split = open.reduce((best, each) => (each.due - each.has > best.due - best.has ? each : best))
    split.has += sizes[top] as number
    splitOf[top] = split.name
  }
  return splitOf
}
