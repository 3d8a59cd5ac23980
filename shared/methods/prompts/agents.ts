import { z } from 'zod'
import { actPrompt } from './act-prompt.ts'
import type { AgentPrompt } from './agent-prompt.ts'
import { reactPrompt } from './react-prompt.ts'

/** How an agent answers, where a method leaves the choice. */
export const agentSchema = z
  .enum(['react', 'act'])
  .describe('Whether the agent thinks before each action, or acts without a word.')

/** What each kind of agent is told. */
export const agents: Record<z.infer<typeof agentSchema>, AgentPrompt> = { react: reactPrompt, act: actPrompt }

export const agentTemplates = Object.values(agents).map(({ template }) => template)
