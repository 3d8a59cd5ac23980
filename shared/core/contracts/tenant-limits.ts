import { z } from 'zod'
import { leastDollars, mostDollars } from './limits.ts'
import { tenantSchema } from './tenant.ts'

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
