import type { Tree } from '../../../../core/contracts/tree.ts'
import { observationText } from '../../../../play/search/conversation.ts'
import { pathTo } from '../../path-to.ts'
import type { SearchDecision, Visit } from './read-search.ts'

const likeness = 0.9

export interface SearchMove {
  from: number
  node: number
  undone: number
  /** The search's value of `from` by then; null if it had none. */
  belief: number | null
}

/**
 * Renders a search as one episode that follows the search and undoes abandoned actions: between two successive paths
 * it goes back to their last common state. It ends with the last action of the answer.
 *
 * @param search - `until-found`: of each plan the moves before its target was first reached; `whole`: all of it
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), exploratory learning: the traversals of a tree, flattened
 */
export function linearizeSearch(
  tree: Tree,
  plans: readonly SearchDecision[],
  search: 'until-found' | 'whole',
): SearchMove[] {
  const beliefs = new Beliefs()
  const moves: SearchMove[] = []
  let at = 0
  for (const plan of plans) {
    const distinct = distinctVisits(tree, plan, search)
    for (const visit of plan.visits) {
      const path = pathTo(tree, visit.node)
      if (distinct.has(visit)) go(visit.node, false)
      else if (search === 'until-found' && path.includes(plan.target)) go(plan.target, true)
      beliefs.add(path, visit.value)
    }
    go(plan.target, true)
  }
  return moves

  function go(to: number, isDecision: boolean): void {
    const [here, way] = [pathTo(tree, at), pathTo(tree, to)]
    const isAbove = here[way.length - 1] === to
    // The nodes above were visited already; to end at one of them, its action is taken once more.
    if (isAbove && (!isDecision || to === at)) return
    const parting = isAbove && to === tree.best ? way.length - 1 : sharedLength(here, way)
    if (parting < here.length) take(way[parting - 1] as number, here.length - parting)
    for (const node of way.slice(parting)) take(node, 0)
  }

  function take(node: number, undone: number): void {
    moves.push({ from: at, node, undone, belief: beliefs.of(at) })
    at = node
  }
}

function distinctVisits(
  tree: Tree,
  { visits, target }: SearchDecision,
  search: 'until-found' | 'whole',
): Set<Visit> {
  const kept: Visit[] = []
  for (const visit of visits) {
    if (search === 'until-found' && pathTo(tree, visit.node).includes(target)) break
    const last = kept.at(-1)
    if (last === undefined || !isSimilar(tree, last.node, visit.node)) kept.push(visit)
  }
  for (let last = kept.at(-1); last && isSimilar(tree, last.node, target); last = kept.at(-1)) kept.pop()
  return new Set(kept)
}

function sharedLength(one: readonly number[], other: readonly number[]): number {
  const parting = one.findIndex((node, place) => node !== other[place])
  return parting < 0 ? one.length : parting
}

/** The search's values of its tree's states, value by value: never more than it knew by then. */
class Beliefs {
  readonly #own = new Map<number, number>()
  readonly #passed = new Map<number, { visits: number; sum: number }>()

  add(path: readonly number[], value: number): void {
    const end = path.at(-1)
    if (end !== undefined && !this.#own.has(end)) this.#own.set(end, value)
    for (const node of path) {
      const { visits, sum } = this.#passed.get(node) ?? { visits: 0, sum: 0 }
      this.#passed.set(node, { visits: visits + 1, sum: sum + value })
    }
  }

  of(node: number): number | null {
    const own = this.#own.get(node)
    if (own !== undefined) return own
    const passed = this.#passed.get(node)
    return passed === undefined ? null : passed.sum / passed.visits
  }
}

/**
 * Tests whether two ways through a tree say the same: equally long, answers that differ only in numbers (such as
 * those of elements of a page), and observations with nearly all of their words in common.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code `tree_to_data`: traversals similar to their predecessor are
 * dropped
 */
function isSimilar(tree: Tree, one: number, other: number): boolean {
  if (one === other) return true
  const [path, rival] = [pathTo(tree, one), pathTo(tree, other)]
  return (
    path.length === rival.length &&
    path.every((node, place) => node === rival[place] || showSame(tree, node, rival[place] as number))
  )
}

function showSame({ nodes }: Tree, one: number, other: number): boolean {
  const [left, right] = [nodes[one], nodes[other]]
  if (left === undefined || right === undefined) return false
  if (masked(left.message) !== masked(right.message)) return false
  const [words, others] = [
    wordsOf(observationText(left.observation)),
    wordsOf(observationText(right.observation)),
  ]
  const shared = [...words].filter((word) => others.has(word)).length
  const all = words.size + others.size - shared
  return all === 0 || shared / all > likeness
}

function masked(message: string | null): string {
  return (message ?? '').replace(/\d+/g, '#')
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .replace(/\[\d+\]/g, '')
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
}
