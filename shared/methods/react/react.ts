import { z } from 'zod'
import type { Method } from '../method.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'

const parameters = z.strictObject({
  max_steps: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('The longest trajectory, in actions; by default what the environment states.'),
})

/** One path, one action at a time: think, act, observe. */
export const react: Method<z.infer<typeof parameters>> = {
  id: 'react',
  description: 'One trajectory: the model thinks, acts and observes in turn until the task ends.',
  source: 'Yao et al. 2023, ReAct: Synergizing Reasoning and Acting in Language Models (arXiv 2210.03629)',
  parameters,
  extendable: ['max_steps'],
  answer: 'last',
  branches: false,
  prompt: reactPrompt,
  effort({ max_steps }, bounds) {
    const most = Math.min(max_steps ?? bounds.max_steps, bounds.steps)
    const likely = Math.min(most, Math.ceil((max_steps ?? bounds.max_steps) / 2))
    return {
      expected: Array.from({ length: likely }, () => 1),
      at_most: Array.from({ length: most }, () => 1),
      side_by_side: 1,
      reason: 'trajectories half as long as they can get',
    }
  },
  async play(scope, { max_steps = scope.defaultMaxSteps }) {
    let node = scope.tree.root
    while (!node.done && node.depth < max_steps) {
      node = await scope.step(node, await scope.propose(node, 0))
    }
  },
}
