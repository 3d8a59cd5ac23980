import type { EdgeStatistics } from './back-up-value.ts'
import { type Backup, backUpValue, edgeValue, unvisited } from './back-up-value.ts'
import { type BranchingSchedule, branchingAt } from './branching-at.ts'
import { type ExplorationSchedule, explorationAt } from './exploration-at.ts'
import { groupProposals, type ProposalChoice } from './group-proposals.ts'
import { isEnd } from './is-end.ts'
import type { StopRules } from './is-stopped.ts'
import { isUnparsable, type Proposal } from './proposal.ts'
import { puct } from './puct.ts'
import type { SearchScope } from './search-scope.ts'
import type { SearchNode } from './search-tree.ts'
import type { Advise, ValueFunction } from './values/value-function.ts'
import { withVirtualLoss } from './with-virtual-loss.ts'

/** An action that was proposed at a node. Its node is there once the search has first gone this way. */
export interface Edge extends EdgeStatistics {
  proposal: Proposal
  prior: number
  node: SearchNode | null
  /** Visits of the present wave that have not been backed up. */
  under_way: number
}

export interface PuctSettings extends StopRules {
  /** Answers sampled at a node, of which equal actions make one child. @default max(2 · branching, 20) (ExACT) */
  proposals?: number | undefined
  branching: number
  branching_schedule: BranchingSchedule
  branching_coefficient: number
  child_choice: ProposalChoice
  prior_temperature: number
  exploration: number
  exploration_schedule: ExplorationSchedule
  exploration_end: number
  backup: Backup
  /** Leaves of a wave. */
  parallel: number
}

/** What guides a search: the values of states, and advice to the policy. */
export interface Guidance {
  values: ValueFunction
  advise: Advise
}

/** One way from the root of a search to a leaf: the edges that were chosen. */
type Descent = Edge[]

/**
 * Monte Carlo tree search with a policy that proposes and a value function instead of rollouts: each iteration goes down to a
 * leaf by PUCT, expands and values it, and backs the value up.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), R-MCTS
 */
export class PuctSearch {
  readonly #scope: SearchScope
  readonly #settings: PuctSettings
  readonly #guidance: Guidance
  readonly #name: string
  readonly #maxDepth: number
  readonly #edges = new Map<number, Edge[]>()
  readonly #values = new Map<number, number>()

  /**
   * @param name identifies the search within its episode
   * @param maxDepth no node below this depth of the tree is expanded
   */
  constructor(
    scope: SearchScope,
    settings: PuctSettings,
    { guidance, name, maxDepth }: { guidance: Guidance; name: string; maxDepth: number },
  ) {
    this.#scope = scope
    this.#settings = settings
    this.#guidance = guidance
    this.#name = name
    this.#maxDepth = maxDepth
  }

  /**
   * Searches below a node, going on from what this search already knows.
   *
   * @param iterations - from the first up to but without the second, of how many in all
   * @param until - the working time of the episode, in seconds, after which no further iteration begins; there is always one
   * @returns the way to a state of value 1, which ends the search, or null
   */
  async run(
    root: SearchNode,
    [first, end, all]: readonly [first: number, end: number, all: number],
    until = Number.POSITIVE_INFINITY,
  ): Promise<SearchNode[] | null> {
    if (!this.#edges.has(root.index)) await this.#expand(root)
    const isTimeLeft = (iteration: number) => iteration === first || this.#scope.elapsed() < until
    for (let iteration = first; iteration < end && isTimeLeft(iteration); ) {
      const exploration = this.#explorationAt(iteration, all)
      const wave = this.#select(root, exploration, Math.min(this.#settings.parallel, end - iteration))
      for (const descent of wave) await this.#take(root, descent)
      const values = await Promise.all(wave.map((descent) => this.#evaluate(leafOf(descent))))
      for (const [place, descent] of wave.entries()) this.#backUp(descent, values[place] as number)
      const solved = wave[values.indexOf(1)]
      if (solved) return solved.map(({ node }) => node as SearchNode)
      iteration += wave.length
    }
    return null
  }

  /** The value that a state was given when the search first came there. */
  stateValue(node: SearchNode): number {
    const value = this.#values.get(node.index)
    if (value === undefined) throw new RangeError(`Node ${node.index} was not valued by this search.`)
    return value
  }

  /** How often an action was taken from a node, by descents from any root: N(s). */
  visitsFrom(node: SearchNode): number {
    return this.edgesOf(node).reduce((sum, { visits }) => sum + visits, 0)
  }

  edgesOf(node: SearchNode): readonly Edge[] {
    return this.#edges.get(node.index) ?? []
  }

  /** Q(s, a) of an edge, by the search's kind of backup. */
  valueOf(edge: Edge): number {
    return edgeValue(edge, this.#settings.backup)
  }

  /** The edge to commit to: the most visited, of equals the one of higher value, then the first. Null where nothing was tried. */
  mostVisited(node: SearchNode): Edge | null {
    return this.edgesOf(node).reduce<Edge | null>((best, edge) => {
      if (edge.node === null) return best
      if (best === null || edge.visits > best.visits) return edge
      return edge.visits === best.visits && this.valueOf(edge) > this.valueOf(best) ? edge : best
    }, null)
  }

  #explorationAt(iteration: number, all: number): number {
    const { exploration, exploration_schedule: schedule, exploration_end: end } = this.#settings
    return explorationAt(iteration, all, { exploration, schedule, end })
  }

  /** Different leaves, one after the other, each as if those before had come back without a gain. */
  #select(root: SearchNode, exploration: number, most: number): Descent[] {
    const wave: Descent[] = []
    while (wave.length < most) {
      const descent = this.#descend(root, exploration)
      if (descent === null) break
      for (const edge of descent) edge.under_way += 1
      wave.push(descent)
    }
    return wave
  }

  /** Null where every leaf is being taken already. */
  #descend(root: SearchNode, exploration: number): Descent | null {
    const descent: Descent = []
    for (let edges = this.#edges.get(root.index); edges; ) {
      const chosen = this.#choose(edges, exploration)
      if (chosen === null) return null
      descent.push(chosen)
      edges = chosen.node ? this.#edges.get(chosen.node.index) : undefined
    }
    return descent.length > 0 ? descent : null
  }

  #choose(edges: readonly Edge[], exploration: number): Edge | null {
    const visits = edges.reduce((sum, edge) => sum + edge.visits + edge.under_way, 0)
    let chosen: Edge | null = null
    let highest = Number.NEGATIVE_INFINITY
    for (const edge of edges) {
      if (!this.#isFree(edge)) continue
      const { least } = this.#guidance.values
      const assumed = withVirtualLoss(edge, edge.under_way, least)
      const score = puct({ ...assumed, prior: edge.prior }, visits, exploration, this.valueOf(assumed))
      if (chosen !== null && score <= highest) continue
      chosen = edge
      highest = score
    }
    return chosen
  }

  /** Whether this way leads to a leaf that no descent of the wave has taken. */
  #isFree({ node, under_way }: Edge): boolean {
    if (under_way === 0) return true
    const below = node ? this.#edges.get(node.index) : undefined
    return below?.some((edge) => this.#isFree(edge)) ?? false
  }

  /** Steps where the descent has no node yet: at its end. */
  async #take(root: SearchNode, descent: Descent): Promise<void> {
    const last = descent.at(-1) as Edge
    const parent = descent.at(-2)?.node ?? root
    const proposal = { ...last.proposal, prior: last.prior }
    last.node ??= isUnparsable(proposal)
      ? this.#scope.addUnparsable(parent, proposal)
      : await this.#scope.step(parent, proposal, this.#maxDepth - 1)
  }

  async #evaluate(leaf: SearchNode): Promise<number> {
    if (this.#isGivenUp(leaf)) return 0
    if (leaf.done) return this.#guidance.values.valueOf(leaf)
    const known = this.#edges.has(leaf.index)
    const [value] = await Promise.all([
      this.#guidance.values.valueOf(leaf),
      known ? null : this.#expand(leaf),
    ])
    return value
  }

  /** A path that leads nowhere is worth nothing, and no model is asked about it; nor is one where no answer could be read. */
  #isGivenUp(leaf: SearchNode): boolean {
    if (isUnparsable(leaf)) return true
    return !leaf.done && isEnd(this.#scope.tree, leaf, { maxSteps: this.#maxDepth, ...this.#settings })
  }

  async #expand(node: SearchNode): Promise<void> {
    const { branching, branching_coefficient, branching_schedule, child_choice, prior_temperature } =
      this.#settings
    const { proposals = Math.max(2 * branching, 20) } = this.#settings
    const notes = await this.#guidance.advise(node)
    const key = `${this.#name}/proposals`
    const proposed = await this.#scope.propose(node, { key, n: proposals, notes })
    const groups = groupProposals(proposed, {
      branching: branchingAt(node.depth, {
        branching,
        schedule: branching_schedule,
        coefficient: branching_coefficient,
      }),
      choose: child_choice,
      temperature: prior_temperature,
      random: this.#scope.random(`node/${node.index}/${key}/choice`),
    })
    const edges = groups.map(({ proposal, prior }) => ({
      ...unvisited,
      proposal,
      prior,
      node: null,
      under_way: 0,
    }))
    this.#edges.set(node.index, edges)
  }

  #backUp(descent: Descent, value: number): void {
    for (const edge of descent) {
      Object.assign(edge, backUpValue(edge, value))
      edge.under_way -= 1
    }
    const leaf = leafOf(descent)
    this.#values.set(leaf.index, value)
    this.#scope.backUp(leaf, value)
  }
}

function leafOf(descent: Descent): SearchNode {
  return descent.at(-1)?.node as SearchNode
}
