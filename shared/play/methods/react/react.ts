import { z } from 'zod'
import { withRestoreRule } from '../../search/restore-action.ts'
import { agentParameters } from '../agent-parameters.ts'
import { beginningParameters, playBeginning } from '../beginnings.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { playPath, singlePathEffort } from '../play-paths.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { prefixTemplates } from '../prompts/prefix-prompts.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { maxStepsParameter, stopParameters } from '../search-parameters.ts'
import { turnActionParameters } from '../turn-actions.ts'

const parameters = z.strictObject({
  max_steps: maxStepsParameter,
  ...agentParameters,
  ...beginningParameters,
  ...turnActionParameters,
  ...stopParameters,
})

export const react: Method<z.infer<typeof parameters>> = {
  id: 'react',
  description: 'One trajectory: the model thinks, acts and observes in turn until the task ends.',
  source: 'Yao et al. 2023, ReAct: Synergizing Reasoning and Acting in Language Models (arXiv 2210.03629)',
  parameters,
  prompts: [reactPrompt.template, reactPrompt.toolsTemplate, ...prefixTemplates],
  branches: false,
  horizon: () => maxStepsHorizon,
  extendable: () => ['max_steps'],
  answer: () => 'last',
  system: ({ restore_action }, ...parts) =>
    withRestoreRule(renderAgentPrompt(reactPrompt, ...parts), restore_action),
  turnActions: (parameters) => parameters,
  effort: singlePathEffort,
  play: async (scope, parameters) => playPath(scope, parameters, await playBeginning(scope, parameters)),
}
