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
    .describe('Description of the environment. Default: the server’s own.'),
  rules: z
    .string()
    .min(1)
    .max(50_000)
    .optional()
    .describe('Rules for the agent, in addition to the form of actions.'),
  deterministic: z
    .boolean()
    .default(false)
    .describe(
      'True if the same actions always have the same results and may be repeated, as tree searches require.',
    ),
  success_threshold: z.number().positive().default(1).describe('Minimum reward of a success.'),
  default_max_steps: z
    .int()
    .positive()
    .max(10_000)
    .default(30)
    .describe('Maximum length of a trajectory, in actions.'),
  max_sessions: z
    .int()
    .positive()
    .max(10_000)
    .default(8)
    .describe('Maximum number of parallel sessions of one worker.'),
}
