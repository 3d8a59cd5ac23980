import { z } from 'zod'
import { choose } from '../../../core/random/shuffled.ts'
import { actionKey, groupProposals } from '../../search/proposals.ts'
import { withRestoreRule } from '../../search/restore-action.ts'
import type { Proposal, SearchScope } from '../../search/search-scope.ts'
import { selectHighest } from '../../search/selection.ts'
import { isEnd, type StopRules } from '../../search/stopping.ts'
import type { SearchNode } from '../../search/tree.ts'
import { agentParameters } from '../agent-parameters.ts'
import { type Effort, type EffortBounds, scaleCalls } from '../effort.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { singlePathEffort } from '../play-paths.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agentSchema, agents, agentTemplates } from '../prompts/agents.ts'
import { maxStepsParameter, stopParameters } from '../search-parameters.ts'
import { turnActionParameters } from '../turn-actions.ts'

const parameters = z.strictObject({
  chains: z
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Number of trajectories from the start, before any fork.'),
  forks: z
    .int()
    .min(0)
    .max(1000)
    .default(3)
    .describe('Number of further trajectories, each from the node that `fork_by` chooses.'),
  fork_by: z
    .enum(['entropy', 'value-spread', 'random'])
    .default('entropy')
    .describe(
      'Choice of the node to fork. `entropy`: the node with the most diverse sampled actions. `value-spread`: the node with the most different rewards below it, then by entropy; it uses rewards. `random`: any node, with a new answer.',
    ),
  samples: z
    .int()
    .min(2)
    .max(64)
    .default(4)
    .describe(
      'Number of answers sampled at each node to estimate its entropy; the method plays the first. `random` samples one.',
    ),
  agent: agentSchema.default('react'),
  max_steps: maxStepsParameter,
  ...agentParameters,
  ...turnActionParameters,
  ...stopParameters,
})

type ForkRolloutsParameters = z.infer<typeof parameters>

interface ForkPlace {
  node: SearchNode
  /** Shannon entropy of the actions of its answers, in nats. */
  entropy: number
  untried: Proposal[]
}

/**
 * Rollouts that fork where the policy is least certain, or its outcome is, for learning from trees:
 *
 *     play `chains` trajectories from the root
 *     repeat `forks` times, while some node has an action that was not taken:
 *         node ← the node of highest entropy, or of highest spread of the rewards below it, among those
 *         play on from node with its next action, to the end
 *
 * Tree-GRPO's rule, `random`, forks at any node with a new answer, so that a node costs one answer.
 *
 * ARPO forks at tool calls after which the entropy of the next tokens rises; here the actions of several answers
 * estimate it, so that it needs no log-probabilities. The episode's answer is the end of the first trajectory: no
 * reward chooses it.
 *
 * @see Dong et al. 2025, ARPO (arXiv 2507.19849), section 3.1, entropy-based adaptive rollout
 * @see Ji et al. 2025, Tree-GRPO (arXiv 2509.21240), section 3.2, nodes to expand are sampled at random
 */
export const forkRollouts: Method<ForkRolloutsParameters> = {
  id: 'fork-rollouts',
  description:
    'Plays trajectories, then forks them at the nodes where the answers differ most, for learning.',
  source:
    'Dong et al. 2025, ARPO (arXiv 2507.19849): forks where the policy is least certain, within a budget; the entropy is that of sampled actions',
  parameters,
  prompts: agentTemplates,
  branches: true,
  horizon: () => maxStepsHorizon,
  extendable: () => ['forks'],
  answer: () => 'committed',
  system: ({ agent, restore_action }, ...parts) =>
    withRestoreRule(renderAgentPrompt(agents[agent], ...parts), restore_action),
  turnActions: (given) => given,
  effort: forkRolloutsEffort,
  async play(
    scope,
    { chains, fork_by, forks, samples: asked, max_steps: maxSteps = scope.defaultMaxSteps, ...rules },
  ) {
    const samples = answersAtNode({ fork_by, samples: asked })
    const places: ForkPlace[] = []
    const outcomes = new Outcomes()
    const playOn = async (from: SearchNode, name: string) => {
      const end = await playToEnd(scope, from, { name, samples, maxSteps, rules, places })
      outcomes.add(scope.tree.path(end), end.reward)
      return end
    }
    for (let chain = 0; chain < chains; chain += 1) {
      const end = await playOn(scope.tree.root, `chain/${chain}`)
      if (chain === 0) scope.commit(end)
    }
    for (let fork = 0; fork < forks; fork += 1) {
      if (fork_by === 'random') {
        const place = choose(places, scope.random(`fork/${fork}`))
        if (place === undefined) return
        await playOn(place.node, `fork/${fork}`)
        continue
      }
      const open = places.filter(({ untried }) => untried.length > 0)
      const candidates = fork_by === 'entropy' ? open : widest(open, outcomes)
      const place = selectHighest(candidates, ({ entropy }) => entropy)
      const proposal = place?.untried.shift()
      if (place === null || proposal === undefined) return
      await playOn(await scope.step(place.node, proposal), `fork/${fork}`)
    }
  },
}

function answersAtNode({ fork_by, samples }: Pick<ForkRolloutsParameters, 'fork_by' | 'samples'>): number {
  return fork_by === 'random' ? 1 : samples
}

function widest(open: readonly ForkPlace[], outcomes: Outcomes): ForkPlace[] {
  const spreads = open.map(({ node }) => outcomes.spread(node))
  const most = Math.max(...spreads)
  // Sums of rewards have rounding errors.
  return open.filter((_, place) => (spreads[place] as number) > most - 1e-9)
}

async function playToEnd(
  scope: SearchScope,
  from: SearchNode,
  {
    maxSteps,
    name,
    places,
    rules,
    samples,
  }: { name: string; samples: number; maxSteps: number; rules: StopRules; places: ForkPlace[] },
): Promise<SearchNode> {
  let node = from
  while (!isEnd(scope.tree, node, { ...rules, maxSteps })) {
    const proposed = await scope.propose(node, { key: name, n: samples })
    const [first] = proposed
    if (first === undefined) break
    const random = scope.random(`${name}/${node.index}`)
    const groups = groupProposals(proposed, { branching: samples, choose: 'best', random })
    const taken = groups.find(({ proposal }) => actionKey(proposal.action) === actionKey(first.action))
    const untried = groups.filter((group) => group !== taken).map(({ proposal }) => proposal)
    places.push({ node, entropy: entropyOf(groups.map(({ prior }) => prior)), untried })
    node = await scope.step(node, first)
  }
  scope.backUp(node, node.reward)
  return node
}

function entropyOf(shares: readonly number[]): number {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * Math.log(share) : sum), 0)
}

function forkRolloutsEffort(given: ForkRolloutsParameters, bounds: EffortBounds): Effort {
  const { expected, at_most, ...one } = singlePathEffort(given, bounds)
  const paths = given.chains + given.forks
  return {
    ...one,
    expected: scaleCalls(expected, paths),
    at_most: scaleCalls(at_most, paths),
    answers: answersAtNode(given),
    reason: 'trajectories and forks half as long as they can get',
  }
}

export class Outcomes {
  readonly #sums = new Map<number, { count: number; sum: number; squares: number }>()

  add(path: readonly SearchNode[], reward: number): void {
    for (const { index } of path) {
      const { count, sum, squares } = this.#sums.get(index) ?? { count: 0, sum: 0, squares: 0 }
      this.#sums.set(index, { count: count + 1, sum: sum + reward, squares: squares + reward ** 2 })
    }
  }

  /** Population standard deviation of the rewards below the node; 0 below one end. */
  spread({ index }: SearchNode): number {
    const { count, sum, squares } = this.#sums.get(index) ?? { count: 1, sum: 0, squares: 0 }
    return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
  }
}
