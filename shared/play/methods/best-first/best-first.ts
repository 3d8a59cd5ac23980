import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { frontierMethod, frontierParameters, playFrontier } from '../frontier.ts'
import type { Method } from '../method.ts'

const parameters = z.strictObject(frontierParameters).check(refuseIdle)

export const bestFirst: Method<z.infer<typeof parameters>> = {
  id: 'best-first',
  description:
    'Looks ahead from the most promising state first, and goes the whole way to the best one found.',
  source:
    'Koh et al. 2024, Tree Search for Language Model Agents (arXiv 2407.01476); the Search Agent of Yu et al. 2024, ExACT (arXiv 2410.02052)',
  ...frontierMethod,
  parameters,
  play: (scope, parameters) => playFrontier(scope, 'best', parameters),
}
