import { defineMethod, maxStepsParameter, type SearchNode, z } from 'espalier/method'

/** Samples several actions, takes each different one, and goes on from the state that got furthest. */
export const greedy = defineMethod({
  id: 'greedy',
  description: 'Takes several sampled actions at each state, and goes on from the one that got furthest.',
  source: 'Hill climbing; an example of how a method is written.',
  parameters: z.strictObject({
    samples: z.int().min(1).max(64).default(4).describe('Answers sampled at each state, in one call.'),
    max_steps: maxStepsParameter,
  }),
  branches: true,
  extendable: () => ['max_steps'],
  answer: () => 'best',
  effort({ samples, max_steps }, bounds) {
    const most = Math.min(max_steps ?? bounds.max_steps, bounds.steps)
    const calls = Array.from({ length: most }, () => 1)
    return { expected: calls, at_most: calls, answers: samples, side_by_side: 1, reason: 'the longest paths' }
  },
  async play(scope, { samples, max_steps = scope.defaultMaxSteps }) {
    let node = scope.tree.root
    while (!node.done && node.depth < max_steps) {
      const proposals = await scope.propose(node, { key: 'samples', n: samples })
      const different = new Map(proposals.map((proposal) => [proposal.action, proposal]))
      const children = []
      for (const proposal of different.values()) {
        const child = await scope.step(node, proposal)
        scope.backUp(child, child.reward)
        children.push(child)
      }
      const [furthest] = children.toSorted((one, other) => reached(other) - reached(one))
      if (furthest === undefined) return
      node = furthest
    }
  },
})

/** Some environments report progress, all of them a reward. */
function reached({ reward, progress }: SearchNode): number {
  return Math.max(reward, progress ?? 0)
}
