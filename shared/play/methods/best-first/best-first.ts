import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { frontierEffort, frontierParameters, playFrontier } from '../frontier.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { derivedOfSearch, rolesOfValue } from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'

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
  parameters,
  prompts: searchPrompts,
  branches: true,
  horizon: () => maxStepsHorizon,
  derived: derivedOfSearch,
  extendable: () => [],
  answer: () => 'committed',
  system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
  turnActions: ({ pause_action }) => ({ pause_action }),
  roles: ({ value }) => rolesOfValue(value),
  effort: frontierEffort,
  play: (scope, parameters) => playFrontier(scope, 'best', parameters),
}
