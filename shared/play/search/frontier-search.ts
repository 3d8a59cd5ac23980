import { groupProposals, isUnparsable, usualProposals } from './proposals.ts'
import type { Guidance } from './puct-search.ts'
import type { Proposal, SearchScope } from './search-scope.ts'
import { deadlineAfter, isEnd, type StopRules } from './stopping.ts'
import type { SearchNode } from './tree.ts'

export interface FrontierSettings extends StopRules {
  /** The next action to try: the one proposed in the best state, the one proposed first, or the one proposed last. */
  order: 'best' | 'breadth' | 'depth'
  budget: number
  /** The depth below the root of a look-ahead at which it proposes no more actions. */
  lookAhead: number
  branching: number
  /** Answers sampled at a node. @default {@link usualProposals} */
  proposals?: number | undefined
  parallel: number
  maxSteps: number
  /** Working time of one look-ahead, in minutes. @default no bound */
  time_budget?: number | undefined
}

interface Candidate {
  parent: SearchNode
  proposal: Proposal
  value: number
}

/** The value of actions proposed before any state has a value (Koh et al. 2024). */
const startValue = 0.5

/**
 * Looks ahead over a frontier of proposed actions, commits to the path to the best state found, and looks ahead again from
 * there, until the task ends. Best-first search and tree of thoughts differ only in the order.
 *
 *     until the task ends:
 *         expand the root: its proposals are the frontier
 *         repeat `budget` times, until a state has the value 1:
 *             select     the next candidate (s,a) of the frontier, by `order`
 *             step       s' ← the state after a
 *             evaluate   v ← V(s'); 0 if the path was abandoned
 *             expand     proposals at s' join the frontier with the value v, within `lookAhead`
 *         commit to the state of highest v; it is the next root
 *     end the task in the last root
 *
 * @see Koh et al. 2024, Tree Search for Language Model Agents (arXiv 2407.01476)
 */
export async function commitByFrontier(
  scope: SearchScope,
  settings: FrontierSettings,
  guidance: Guidance,
): Promise<void> {
  let root = scope.tree.root
  for (let plan = 0; !isEnd(scope.tree, root, settings); plan += 1) {
    const { node, value } = await lookAhead(scope, root, settings, { guidance, name: `plan/${plan}` })
    scope.commit(node)
    root = node
    if (value === 1) break
  }
  await scope.conclude(root)
}

async function lookAhead(
  scope: SearchScope,
  root: SearchNode,
  settings: FrontierSettings,
  { guidance, name }: { guidance: Guidance; name: string },
): Promise<{ node: SearchNode; value: number }> {
  const until = deadlineAfter(scope, settings.time_budget)
  const frontier = await propose(scope, root, startValue, settings, { guidance, name })
  let best: { node: SearchNode; value: number } | null = null
  const isTimeLeft = (tried: number) => tried === 0 || scope.elapsed() < until
  for (
    let tried = 0;
    tried < settings.budget && isTimeLeft(tried) && frontier.length > 0 && best?.value !== 1;
  ) {
    const wave = take(frontier, settings.order, Math.min(settings.parallel, settings.budget - tried))
    const nodes: SearchNode[] = []
    for (const { parent, proposal } of wave) {
      nodes.push(
        isUnparsable(proposal)
          ? scope.addUnparsable(parent, proposal)
          : await scope.step(parent, proposal, settings.maxSteps - 1),
      )
    }
    const values = await Promise.all(nodes.map((node) => stateValue(scope, node, settings, guidance)))
    for (const [place, node] of nodes.entries()) {
      const value = values[place] as number
      scope.backUp(node, value)
      if (best === null || value > best.value) best = { node, value }
    }
    const open = nodes.flatMap((node, place) => {
      const value = values[place] as number
      const isOpen =
        !isUnparsable(node) &&
        !isEnd(scope.tree, node, settings) &&
        node.depth - root.depth <= settings.lookAhead &&
        value < 1
      return isOpen ? [{ node, value }] : []
    })
    const grown = await Promise.all(
      open.map(({ node, value }) => propose(scope, node, value, settings, { guidance, name })),
    )
    frontier.push(...grown.flat())
    tried += wave.length
  }
  return best as { node: SearchNode; value: number }
}

function take(frontier: Candidate[], order: FrontierSettings['order'], count: number): Candidate[] {
  const taken: Candidate[] = []
  while (taken.length < count && frontier.length > 0) {
    const place = order === 'best' ? bestPlace(frontier) : order === 'breadth' ? 0 : frontier.length - 1
    taken.push(...frontier.splice(place, 1))
  }
  return taken
}

function bestPlace(frontier: readonly Candidate[]): number {
  return frontier.reduce(
    (best, { value }, place) => (value > (frontier[best]?.value ?? value) ? place : best),
    0,
  )
}

async function propose(
  scope: SearchScope,
  node: SearchNode,
  value: number,
  { branching, proposals = usualProposals(branching), order }: FrontierSettings,
  { guidance, name }: { guidance: Guidance; name: string },
): Promise<Candidate[]> {
  const notes = await guidance.advise(node)
  const key = `${name}/proposals`
  const proposed = await scope.propose(node, { key, n: proposals, notes })
  const random = scope.random(`node/${node.index}/${key}/choice`)
  const candidates = groupProposals(proposed, { branching, choose: 'best', random }).map(
    ({ proposal, prior }): Candidate => ({ parent: node, proposal: { ...proposal, prior }, value }),
  )
  // Depth first takes from the end, so the most frequent action is the last.
  return order === 'depth' ? candidates.reverse() : candidates
}

async function stateValue(
  scope: SearchScope,
  node: SearchNode,
  settings: FrontierSettings,
  { values }: Guidance,
): Promise<number> {
  const isAbandoned = isUnparsable(node) || (isEnd(scope.tree, node, settings) && !node.done)
  return isAbandoned ? 0 : values.valueOf(node)
}
