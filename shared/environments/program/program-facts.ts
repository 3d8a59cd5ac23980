import { z } from 'zod'
import { declaredBounds } from '../../core/contracts/catalogue.ts'
import { actionToolSchema } from '../tools/action-tool.ts'

const turnSchema = z.object({ thought: z.string(), action: z.string(), observation: z.string() })

export const programFactsSchema = z.object({
  environment: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  description: z.string(),
  snapshot: z.enum(['replay', 'none']).default('replay'),
  deterministic: z.boolean().default(true),
  keeps_states: z.boolean().exactOptional(),
  success_threshold: z.number().default(1),
  default_max_steps: z.int().positive().default(30),
  ...declaredBounds,
  rules: z.string(),
  example: z
    .object({ observation: z.string(), turns: z.array(turnSchema) })
    .nullable()
    .default(null),
  tools: z.array(actionToolSchema).min(1).exactOptional(),
  tasks: z
    .array(
      z.object({
        id: z.string().min(1).max(256),
        split: z.string().default('test'),
        type: z.string().default('any'),
        description: z.string().default(''),
        max_steps: z.int().positive().exactOptional(),
      }),
    )
    .min(1),
})

export type ProgramFacts = z.infer<typeof programFactsSchema>
