import { z } from 'zod'

export const splitName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)
export const taskName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), 'must hold no user name and no password')

/**
 * An administrator's description of an outside server beside its address and its tasks. The protocols of OpenEnv and
 * MCP have no such fields.
 */
export const outsideFacts = {
  description: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('What is done there. Default: what the server says.'),
  rules: z
    .string()
    .min(1)
    .max(50_000)
    .optional()
    .describe('Rules for the agent, beside the form of actions.'),
  deterministic: z
    .boolean()
    .default(false)
    .describe(
      'Whether the same actions always have the same answers and may be taken again, which a tree search needs.',
    ),
  success_threshold: z.number().positive().default(1).describe('The least reward of a success.'),
  default_max_steps: z.int().positive().max(10_000).default(30).describe('How long a trajectory may get.'),
  max_sessions: z.int().positive().max(10_000).default(8).describe('Sessions at once, of one worker.'),
}
