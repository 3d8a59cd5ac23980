import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { frontierMethod, frontierParameters, playFrontier } from '../frontier.ts'
import type { Method } from '../method.ts'

const parameters = z
  .strictObject({
    order: z
      .enum(['breadth', 'depth'])
      .default('breadth')
      .describe('Action to try next: the one proposed first (`breadth`) or last (`depth`).'),
    ...frontierParameters,
  })
  .check(refuseIdle)

export const treeOfThoughts: Method<z.infer<typeof parameters>> = {
  id: 'tree-of-thoughts',
  description: 'Looks ahead breadth first or depth first, and goes the whole way to the best state found.',
  source:
    'Yao et al. 2023, Tree of Thoughts (arXiv 2305.10601), BFS and DFS, as the baseline of Yu et al. 2024, ExACT (arXiv 2410.02052)',
  ...frontierMethod,
  parameters,
  play: (scope, { order, ...parameters }) => playFrontier(scope, order, parameters),
}
