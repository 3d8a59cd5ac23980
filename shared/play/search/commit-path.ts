import { type Guidance, PuctSearch, type PuctSettings } from './puct-search.ts'
import type { SearchScope } from './search-scope.ts'
import { deadlineAfter, isEnd } from './stopping.ts'
import type { SearchNode } from './tree.ts'

export interface Committed {
  node: SearchNode
  q: number
  next_value: number
}

export interface PlanSettings extends PuctSettings {
  iterations: number
  maxSteps: number
  reuse: boolean
  /** Working time of one search, in minutes. @default no bound */
  time_budget?: number | undefined
  /** The unit of `advance_every`: iterations, or descents through the root. @default 'iterations' */
  advance_counter?: 'iterations' | 'subtree_size' | undefined
  /** After this many iterations the root of the only search moves to its most visited child; without it, never. */
  advance_every?: number | undefined
}

/**
 * Searches, takes the most visited action, and searches again from the state it led to, until the task ends. If a
 * search finds a state of value 1, commits to the whole path to it and ends the episode.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), R-MCTS: one search for each real step
 */
export async function commitStepByStep(
  scope: SearchScope,
  { iterations, time_budget, maxSteps, reuse, ...settings }: PlanSettings,
  guidance: Guidance,
): Promise<Committed[]> {
  const open = (plan: number) =>
    new PuctSearch(scope, settings, { guidance, name: `plan/${plan}`, maxDepth: maxSteps })
  const committed: Committed[] = []
  let root = scope.tree.root
  let search = open(0)
  while (!isEnd(scope.tree, root, { maxSteps, ...settings })) {
    const solved = await search.run(root, [0, iterations, iterations], deadlineAfter(scope, time_budget))
    const path = solved ?? [search.mostVisited(root)?.node as SearchNode]
    for (const node of path) scope.commit(node)
    committed.push(...read(scope, search, path))
    root = path.at(-1) as SearchNode
    if (solved) break
    if (!reuse) search = open(committed.length)
  }
  await scope.conclude(root)
  return committed
}

/**
 * Commits by one search for the whole task. Its answer is the most visited path, or the path to a state of value 1.
 *
 * @see Yu et al. 2024, ExACT, its code for desktops: `n_nodes`, and `adv_after_n_nodes` with `adv_counter` for roots
 * that move on
 */
export async function commitWholeTask(
  scope: SearchScope,
  { iterations, time_budget, maxSteps, reuse: _, ...settings }: PlanSettings,
  guidance: Guidance,
): Promise<Committed[]> {
  const { advance_counter, advance_every: every = iterations, parallel } = settings
  const search = new PuctSearch(scope, settings, { guidance, name: 'plan/0', maxDepth: maxSteps })
  const until = deadlineAfter(scope, time_budget)
  const bySize = advance_counter === 'subtree_size' && settings.advance_every !== undefined
  const chunk = bySize ? parallel : every
  let root = scope.tree.root
  const isOver = (first: number) =>
    isEnd(scope.tree, root, { maxSteps, ...settings }) || (first > 0 && scope.elapsed() >= until)
  for (let first = 0; first < iterations && !isOver(first); first += chunk) {
    const end = Math.min(first + chunk, iterations)
    const solved = await search.run(root, [first, end, iterations], until)
    if (solved) {
      const path = [...scope.tree.path(root).slice(1), ...solved]
      scope.commit(path.at(-1) as SearchNode)
      await scope.conclude(path.at(-1) as SearchNode)
      return read(scope, search, path)
    }
    if (!bySize || search.visitsFrom(root) >= every) root = search.mostVisited(root)?.node ?? root
  }
  return read(scope, search, scope.tree.mostVisited(scope.tree.root).slice(1))
}

function read({ tree }: SearchScope, search: PuctSearch, path: readonly SearchNode[]): Committed[] {
  return path.map((node) => {
    const edges = search.edgesOf(tree.node(node.parent as number))
    const edge = edges.find((candidate) => candidate.node?.index === node.index)
    if (!edge) throw new RangeError(`This search has no path to node ${node.index}.`)
    return { node, q: search.valueOf(edge), next_value: search.stateValue(node) }
  })
}
