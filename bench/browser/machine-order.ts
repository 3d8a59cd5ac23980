import type { TreeEntry } from '../../shared/search/tree-entry.ts'
import { RecordedSearch } from './recorded-search.ts'

export interface MachineOrder {
  /** In all machines. */
  actions: number
  /** Machines that were started for the task. */
  machines: number
}

/**
 * Counts what a search for a whole task takes in the order of ExACT's code for OSWorld. Each virtual machine stands on one path, and
 * none goes back: an action is taken by the machine that stands where it begins; else by the one that stands on the longest part of
 * the way there, which it leaves; else by a fresh one, which takes all actions of the way again. In the end a machine that was kept
 * for it takes the actions that the search committed to. That this is done up to twice more where it fails is not counted.
 *
 * @param entries of a journal, as R-MCTS with `plan: whole-task` wrote them
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for OSWorld: pooled machines, one for each prefix
 */
export function countExactMachineOrder(entries: readonly TreeEntry[]): MachineOrder {
  const search = new RecordedSearch()
  /** The node at which each machine stands. */
  const occupied = new Set<number>()
  let actions = 0
  let machines = 0
  let answer: number | null = null
  const cost = (path: readonly number[]) =>
    path.reduce((total, index) => total + search.node(index).actions, 0)
  for (const entry of entries) {
    if ('commit' in entry) answer = entry.commit.node
    const index = search.add(entry)
    // The root is where machines begin; an answer that could not be read is no action.
    if (index === null || index === 0 || search.node(index).actions === 0) continue
    const path = search.pathTo(index)
    const nearest = path.slice(0, -1).findLast((node) => occupied.has(node))
    if (nearest === undefined) machines += 1
    else occupied.delete(nearest)
    actions += cost(path.slice(nearest === undefined ? 0 : path.indexOf(nearest) + 1))
    occupied.add(index)
  }
  const committed = answer ?? mostVisited(entries)
  return { actions: actions + cost(search.pathTo(committed)), machines: machines + 1 }
}

/**
 * Counts what the same search takes with a fresh machine for each expansion, which takes all actions of the way there.
 *
 * @param entries as for {@link countExactMachineOrder}
 */
export function countFreshMachineOrder(entries: readonly TreeEntry[]): MachineOrder {
  const search = new RecordedSearch()
  const order = { actions: 0, machines: 0 }
  for (const entry of entries) {
    const index = search.add(entry)
    if (index === null || index === 0 || search.node(index).actions === 0) continue
    order.machines += 1
    for (const node of search.pathTo(index)) order.actions += search.node(node).actions
  }
  return order
}

/** The end of the most visited path, of equals the first: the answer of a search that committed to none. */
function mostVisited(entries: readonly TreeEntry[]): number {
  const search = new RecordedSearch()
  const visits = new Map<number, number>()
  for (const entry of entries) {
    search.add(entry)
    if (!('backup' in entry)) continue
    for (const node of search.pathTo(entry.backup.node)) visits.set(node, (visits.get(node) ?? 0) + 1)
  }
  for (let at = 0; ; ) {
    const [first, ...others] = [...visits.keys()].filter((node) => search.node(node).parent === at)
    if (first === undefined) return at
    at = others.reduce(
      (best, node) => ((visits.get(node) ?? 0) > (visits.get(best) ?? 0) ? node : best),
      first,
    )
  }
}
