import { z } from 'zod'
import { actPrompt } from './act-prompt.ts'
import type { AgentPrompt } from './agent-prompt.ts'
import { reactPrompt } from './react-prompt.ts'

export const agentSchema = z
  .enum(['react', 'act'])
  .describe('`react`: the agent thinks before each action. `act`: it acts without thoughts.')

export const agents: Record<z.infer<typeof agentSchema>, AgentPrompt> = { react: reactPrompt, act: actPrompt }

/** The system text of a method's agent: only `act` has one that never thinks, and some methods leave the choice. */
export function agentPromptOf(method: string, { agent }: { agent?: unknown }): AgentPrompt {
  const isSilent = method === 'act' || agent === 'act'
  return isSilent ? actPrompt : reactPrompt
}

export const agentTemplates = Object.values(agents).flatMap(({ template, toolsTemplate }) => [
  template,
  toolsTemplate,
])
