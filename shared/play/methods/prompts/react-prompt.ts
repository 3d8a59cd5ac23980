import { definePrompt } from '../../search/prompt-template.ts'
import type { AgentPrompt } from './agent-prompt.ts'

export const reactPrompt: AgentPrompt = {
  template: definePrompt({
    id: 'react',
    purpose: 'Shown to the agent before the first observation, when it thinks before each action.',
    text: `{{rules}}

{{actions}}

{{notes}}

Answer with one thought and one action, in this form:
Thought: <what you conclude and what comes next>
Action: <the one thing you do>

{{example}}`,
  }),
  toolsTemplate: definePrompt({
    id: 'react-tools',
    purpose: 'Shown in place of `react` to an agent that calls tools.',
    text: `{{rules}}

{{actions}}

{{notes}}

You act by calling tools: each action is the call of one tool. In each answer say what you conclude and what comes next, and call one tool.

{{example}}`,
  }),
  showTurn: ({ thought, action }) => `Thought: ${thought}\nAction: ${action}`,
}
