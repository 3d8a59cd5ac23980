import {
  type BranchingSchedule,
  branchingAt,
  groupProposals,
  isUnparsable,
  type ProposalChoice,
  usualProposals,
} from './proposals.ts'
import type { Proposal, SearchScope } from './search-scope.ts'
import {
  type Backup,
  backUpValue,
  type EdgeStatistics,
  type ExplorationSchedule,
  edgeValue,
  explorationAt,
  puct,
  selectHighest,
  unvisited,
} from './selection.ts'
import { isEnd, type StopRules } from './stopping.ts'
import type { SearchNode } from './tree.ts'
import type { Advise, ValueFunction } from './values/value-function.ts'
import { Wave } from './waves.ts'

export interface Edge extends EdgeStatistics {
  proposal: Proposal
  prior: number
  node: SearchNode | null
}

export interface PuctSettings extends StopRules {
  /** Answers sampled at a node; equal actions become one child. @default {@link usualProposals} */
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
  parallel: number
}

export interface Guidance {
  values: ValueFunction
  advise: Advise
}

/**
 * Monte Carlo tree search as ExACT plans: a policy proposes actions with priors, and a value function stands in for
 * rollouts.
 *
 *     expand the root
 *     repeat `iterations` times, until a state has the value 1:
 *         select     s ← root; while s is expanded: s ← the state behind
 *                    argmax over a of Q(s,a) + c · P(s,a) · √N(s) / (1 + N(s,a))
 *         expand     sample the policy at s; equal actions are one edge,
 *                    P(s,a) ← softmax(ln(share of a) / temperature)
 *         evaluate   v ← V(s); 0 if the path to s was abandoned
 *         back up    for each edge (s,a) of the path: Q ← (N · Q + v) / (N + 1), N ← N + 1
 *
 * `parallel` leaves are selected as one {@link Wave}, then expanded and evaluated concurrently.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), section 3, R-MCTS; selection after Silver et al. 2017 (AlphaGo Zero)
 */
export class PuctSearch {
  readonly #scope: SearchScope
  readonly #settings: PuctSettings
  readonly #guidance: Guidance
  readonly #name: string
  readonly #maxDepth: number
  readonly #edges = new Map<number, Edge[]>()
  readonly #values = new Map<number, number>()

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
   * Searches below a node, and reuses the earlier results of this search.
   *
   * @param iterations - from the first up to but without the second, of how many in all
   * @param until - the working time of the episode, in seconds, after which no further iteration begins; there is
   * always one
   * @returns the path to a state of value 1, which ends the search, or null
   */
  async run(
    root: SearchNode,
    [first, end, all]: readonly [first: number, end: number, all: number],
    until = Number.POSITIVE_INFINITY,
  ): Promise<SearchNode[] | null> {
    const { exploration, exploration_schedule, exploration_end, parallel } = this.#settings
    if (!this.#edges.has(root.index)) await this.#expand(root)
    const isTimeLeft = (iteration: number) => iteration === first || this.#scope.elapsed() < until
    for (let iteration = first; iteration < end && isTimeLeft(iteration); ) {
      const schedule = { exploration, schedule: exploration_schedule, end: exploration_end }
      const constant = explorationAt(iteration, all, schedule)
      const wave = this.#select(root, constant, Math.min(parallel, end - iteration))
      for (const path of wave.paths) await this.#step(root, path)
      const values = await Promise.all(wave.ends.map((edge) => this.#expandAndEvaluate(leafOf(edge))))
      for (const [place, path] of wave.paths.entries()) this.#backUp(path, values[place] as number)
      const solved = wave.paths[values.indexOf(1)]
      if (solved) return solved.map(leafOf)
      iteration += wave.size
    }
    return null
  }

  stateValue(node: SearchNode): number {
    const value = this.#values.get(node.index)
    if (value === undefined) throw new RangeError(`Node ${node.index} was not valued by this search.`)
    return value
  }

  visitsFrom(node: SearchNode): number {
    return this.edgesOf(node).reduce((sum, { visits }) => sum + visits, 0)
  }

  edgesOf(node: SearchNode): readonly Edge[] {
    return this.#edges.get(node.index) ?? []
  }

  valueOf(edge: Edge): number {
    return edgeValue(edge, this.#settings.backup)
  }

  mostVisited(node: SearchNode): Edge | null {
    return this.edgesOf(node).reduce<Edge | null>((best, edge) => {
      if (edge.node === null) return best
      if (best === null || edge.visits > best.visits) return edge
      return edge.visits === best.visits && this.valueOf(edge) > this.valueOf(best) ? edge : best
    }, null)
  }

  #select(root: SearchNode, exploration: number, most: number): Wave<Edge> {
    const wave = new Wave<Edge>(this.#guidance.values.least)
    while (wave.size < most) {
      const path = this.#descend(root, exploration, wave)
      if (path === null) break
      wave.add(path)
    }
    return wave
  }

  #descend(root: SearchNode, exploration: number, wave: Wave<Edge>): Edge[] | null {
    const path: Edge[] = []
    for (let edges = this.#edges.get(root.index); edges; ) {
      const visits = edges.reduce((sum, edge) => sum + wave.assumed(edge).visits, 0)
      const free = edges.filter((edge) => this.#isFree(edge, wave))
      const chosen = selectHighest(free, (edge) => {
        const assumed = wave.assumed(edge)
        return puct(assumed, visits, exploration, this.valueOf(assumed))
      })
      if (chosen === null) return null
      path.push(chosen)
      edges = chosen.node ? this.#edges.get(chosen.node.index) : undefined
    }
    return path.length > 0 ? path : null
  }

  #isFree(edge: Edge, wave: Wave<Edge>): boolean {
    if (wave.pendingAt(edge) === 0) return true
    const below = edge.node ? this.#edges.get(edge.node.index) : undefined
    return below?.some((next) => this.#isFree(next, wave)) ?? false
  }

  async #step(root: SearchNode, path: readonly Edge[]): Promise<void> {
    const last = path.at(-1) as Edge
    const parent = path.at(-2)?.node ?? root
    const proposal = { ...last.proposal, prior: last.prior }
    last.node ??= isUnparsable(proposal)
      ? this.#scope.addUnparsable(parent, proposal)
      : await this.#scope.step(parent, proposal, this.#maxDepth - 1)
  }

  async #expandAndEvaluate(leaf: SearchNode): Promise<number> {
    if (this.#isAbandoned(leaf)) return 0
    const { values } = this.#guidance
    if (leaf.done) return values.valueOf(leaf)
    const isExpanded = this.#edges.has(leaf.index)
    const [value] = await Promise.all([values.valueOf(leaf), isExpanded ? null : this.#expand(leaf)])
    return value
  }

  #isAbandoned(leaf: SearchNode): boolean {
    if (isUnparsable(leaf)) return true
    return !leaf.done && isEnd(this.#scope.tree, leaf, { maxSteps: this.#maxDepth, ...this.#settings })
  }

  async #expand(node: SearchNode): Promise<void> {
    const { branching, branching_coefficient, branching_schedule, child_choice, prior_temperature } =
      this.#settings
    const { proposals = usualProposals(branching) } = this.#settings
    const notes = await this.#guidance.advise(node)
    const key = `${this.#name}/proposals`
    const proposed = await this.#scope.propose(node, { key, n: proposals, notes })
    const schedule = { branching, schedule: branching_schedule, coefficient: branching_coefficient }
    const groups = groupProposals(proposed, {
      branching: branchingAt(node.depth, schedule),
      choose: child_choice,
      temperature: prior_temperature,
      random: this.#scope.random(`node/${node.index}/${key}/choice`),
    })
    this.#edges.set(
      node.index,
      groups.map(({ proposal, prior }) => ({ ...unvisited, proposal, prior, node: null })),
    )
  }

  #backUp(path: readonly Edge[], value: number): void {
    for (const edge of path) Object.assign(edge, backUpValue(edge, value))
    const leaf = leafOf(path.at(-1) as Edge)
    this.#values.set(leaf.index, value)
    this.#scope.backUp(leaf, value)
  }
}

function leafOf({ node }: Edge): SearchNode {
  return node as SearchNode
}
