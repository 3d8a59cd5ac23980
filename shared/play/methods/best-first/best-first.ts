import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { frontierMethod, frontierParameters, playFrontier } from '../frontier.ts'
import type { Method } from '../method.ts'

const parameters = z.strictObject(frontierParameters).check(refuseIdle)

/**
 * Best-first search: tries the action proposed in the best state next. Then it commits to the whole path to the best
 * state found, and starts the search again there.
 */
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
