import { z } from 'zod'
import { leastDollars, mostDollars } from './limits.ts'
import { tenantSchema } from './tenant.ts'

/** The body of `PUT /v1/limits`: each limit given replaces the old one, null lifts it. */
export const tenantLimitsRequestSchema = z
  .strictObject({
    cost: z
      .number()
      .positive()
      .min(leastDollars)
      .max(mostDollars)
      .nullable()
      .optional()
      .describe('US dollars, over all runs of the tenant. Runs of models without a price are refused.'),
    tokens: z.int().positive().nullable().optional().describe('Input and output tokens together.'),
  })
  .meta({ id: 'TenantLimitsRequest' })

export type TenantLimitsRequest = z.infer<typeof tenantLimitsRequestSchema>

/** What a tenant may spend over all its runs, and what it has used of it. A run that reaches it is paused. */
export const tenantLimitsSchema = z
  .object({
    object: z.literal('tenant_limits'),
    tenant: tenantSchema,
    cost: z.number().nullable().describe('US dollars; null: no limit.'),
    tokens: z.int().nullable(),
    used: z
      .object({ cost: z.number(), tokens: z.int() })
      .describe('Spent, or set aside for calls of runs that are being played.'),
  })
  .meta({ id: 'TenantLimits' })

export type TenantLimits = z.infer<typeof tenantLimitsSchema>
