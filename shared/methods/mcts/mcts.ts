import { z } from 'zod'
import type { SearchNode } from '../../search/search-tree.ts'
import { selectChild } from '../../search/select-child.ts'
import { ucb1 } from '../../search/ucb1.ts'
import { countCalls, longestCalls, scaleCalls } from '../effort.ts'
import type { Method } from '../method.ts'
import type { MethodScope, Proposal } from '../method-scope.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'

const parameters = z.strictObject({
  iterations: z.int().min(1).max(100_000).default(8).describe('Descents from the root.'),
  samples: z.int().min(1).max(256).default(4).describe('Answers sampled at each node that is expanded.'),
  max_depth: z.int().min(0).max(1000).default(20).describe('Nodes below this depth are leaves.'),
  exploration: z
    .number()
    .min(0)
    .max(100)
    .default(0.25)
    .describe('The constant of the exploration term of UCB1.'),
})

/** Of the calls that a search can make; the simulated model took 0.56 to 0.96 of them in TextCraft. */
const usualShare = 3 / 4

type Parameters = z.infer<typeof parameters>

/**
 * Monte Carlo tree search as Agent-R collects trajectories: each descent expands every node on its way until it stands
 * above leaves only, so the rollout is the tree's own path; values are the environment's rewards of the leaves.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1
 */
export const mcts: Method<Parameters> = {
  id: 'mcts',
  description:
    'Monte Carlo tree search: samples several actions at each node and learns from the rewards of the leaves.',
  source:
    'Yuan et al. 2025, Agent-R: Training Language Model Agents to Reflect via Iterative Self-Training (arXiv 2501.11425), section 3.1',
  parameters,
  extendable: ['iterations'],
  answer: 'best',
  branches: true,
  prompt: reactPrompt,
  effort({ iterations, samples, max_depth }, { steps }) {
    // A descent expands one node of each depth at most, and there are no more nodes than samples make.
    const all = Array.from(
      { length: max_depth + 1 },
      (_, depth) => samples * Math.min(depth === 0 ? 1 : iterations, samples ** depth),
    )
    // An expansion takes one step at least, and as a rule one for each answer.
    const at_most = longestCalls(all, samples * steps)
    const likely = Math.min(usualShare * countCalls(all), Math.max(steps, samples))
    return {
      expected: scaleCalls(all, likely / countCalls(all)),
      at_most,
      side_by_side: samples,
      reason: 'three quarters of the calls that the search can make',
    }
  },
  async play(scope, { iterations, ...search }) {
    for (let iteration = 0; iteration < iterations && !scope.tree.root.terminal; iteration += 1) {
      let node: SearchNode | null = scope.tree.root
      while (node !== null && !node.terminal) {
        if (node.children.length === 0) await expand(scope, node, search)
        node = descend(scope, node, search.exploration)
      }
    }
  },
}

/** Samples answers side by side, takes each different one once, and backs up the leaves among the children. */
async function expand(
  scope: MethodScope,
  node: SearchNode,
  { samples, max_depth }: Pick<Parameters, 'samples' | 'max_depth'>,
): Promise<void> {
  const proposals = await Promise.all(
    Array.from({ length: samples }, (_, sample) => scope.propose(node, sample)),
  )
  const different = new Map<string, Proposal>()
  for (const proposal of proposals) {
    if (!different.has(proposal.message)) different.set(proposal.message, proposal)
  }
  const children: SearchNode[] = []
  for (const proposal of different.values()) children.push(await scope.step(node, proposal, max_depth))
  for (const child of children) if (child.terminal) scope.backUp(child, child.reward)
}

/** Follows the best children down to one that has none; null when only leaves are left. */
function descend(scope: MethodScope, node: SearchNode, exploration: number): SearchNode | null {
  let at: SearchNode | null = node
  while (at !== null && at.children.length > 0) {
    const parent: SearchNode = at
    at = selectChild(scope.tree, parent, (child) => ucb1(child, parent, exploration))
  }
  return at
}
