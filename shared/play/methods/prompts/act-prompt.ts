import { definePrompt } from '../../search/prompt-template.ts'
import type { AgentPrompt } from './agent-prompt.ts'

export const actPrompt: AgentPrompt = {
  template: definePrompt({
    id: 'act',
    purpose: 'Shown to the agent before the first observation, when it only acts.',
    text: `{{rules}}

{{actions}}

{{notes}}

Answer with one action and nothing else, in this form:
Action: <the one thing you do>

{{example}}`,
  }),
  toolsTemplate: definePrompt({
    id: 'act-tools',
    purpose: 'Shown in place of `act` to an agent that calls tools.',
    text: `{{rules}}

{{actions}}

{{notes}}

You act by calling tools: each action is the call of one tool. Answer with one call and nothing else.

{{example}}`,
  }),
  showTurn: ({ action }) => `Action: ${action}`,
}
