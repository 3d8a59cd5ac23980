import { z } from 'zod'
import { withRestoreRule } from '../../search/restore-action.ts'
import { agentParameters } from '../agent-parameters.ts'
import { beginningParameters, playBeginning } from '../beginnings.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { playPath, singlePathEffort } from '../play-paths.ts'
import { actPrompt } from '../prompts/act-prompt.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { prefixTemplates } from '../prompts/prefix-prompts.ts'
import { maxStepsParameter, stopParameters } from '../search-parameters.ts'
import { turnActionParameters } from '../turn-actions.ts'

const parameters = z.strictObject({
  max_steps: maxStepsParameter,
  ...agentParameters,
  ...beginningParameters,
  ...turnActionParameters,
  ...stopParameters,
})

export const act: Method<z.infer<typeof parameters>> = {
  id: 'act',
  description: 'One trajectory: the model acts and observes in turn, without thinking aloud.',
  source:
    'The baseline "Act" of Yao et al. 2023, ReAct (arXiv 2210.03629), and of Zhao et al. 2024, LearnAct (arXiv 2402.15809)',
  parameters,
  prompts: [actPrompt.template, actPrompt.toolsTemplate, ...prefixTemplates],
  branches: false,
  horizon: () => maxStepsHorizon,
  extendable: () => ['max_steps'],
  answer: () => 'last',
  system: ({ restore_action }, ...parts) =>
    withRestoreRule(renderAgentPrompt(actPrompt, ...parts), restore_action),
  turnActions: (parameters) => parameters,
  effort: singlePathEffort,
  play: async (scope, parameters) => playPath(scope, parameters, await playBeginning(scope, parameters)),
}
