import type { TreeEntry } from '../../shared/play/search/tree-entry.ts'
import { RecordedSearch } from './recorded-search.ts'

export interface MachineOrder {
  actions: number
  machines: number
}

/**
 * Counts a whole-task search's work in the order of ExACT's code for desktops. Each virtual machine is at one path,
 * and none goes back. The machine at an action's start takes it, else the one at the longest prefix, else a fresh
 * one, which repeats the whole path. At the end, a reserved machine takes the committed actions. Up to two retries of
 * failures are not counted.
 * @param entries of a journal, as R-MCTS with `plan: whole-task` wrote them
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: pooled machines, one for each prefix
 */
export function countExactMachineOrder(entries: readonly TreeEntry[]): MachineOrder {
  const search = new RecordedSearch()
  const occupied = new Set<number>()
  let actions = 0
  let machines = 0
  let answer: number | null = null
  const cost = (path: readonly number[]) =>
    path.reduce((total, index) => total + search.node(index).actions, 0)
  for (const entry of entries) {
    if ('commit' in entry) answer = entry.commit.node
    const index = search.add(entry)
    // Machines begin at the root. An unreadable answer is no action.
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
 * Counts the same search with a fresh machine for each expansion, which repeats the whole path.
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
