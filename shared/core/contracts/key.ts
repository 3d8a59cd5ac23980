import { z } from 'zod'
import { tenantSchema } from './tenant.ts'

export const scopeSchema = z
  .enum(['runs:write', 'runs:read', 'datasets:read', 'workers:join', 'hosts:join', 'admin'])
  .meta({
    id: 'Scope',
    description:
      'Permission of a key within its tenant; `admin` includes the others. `workers:join` is for machines that play its runs, `hosts:join` for machines that run hosts of environments for all tenants.',
  })

export type Scope = z.infer<typeof scopeSchema>

const tenYears = 10 * 366 * 24 * 3600

export const keyRequestSchema = z
  .strictObject({
    name: z.string().min(1).max(200).describe('A label for the purpose of the key.'),
    scopes: z.array(scopeSchema).min(1).max(scopeSchema.options.length),
    expires_in: z
      .int()
      .min(1)
      .max(tenYears)
      .optional()
      .describe('Lifetime of the key in seconds. Default: it never expires.'),
  })
  .meta({ id: 'ApiKeyRequest' })

export type KeyRequest = z.infer<typeof keyRequestSchema>

export const apiKeySchema = z
  .object({
    id: z.string(),
    object: z.literal('api_key'),
    tenant: tenantSchema,
    name: z.string(),
    scopes: z.array(scopeSchema),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' })

export type ApiKey = z.infer<typeof apiKeySchema>

export const createdKeySchema = apiKeySchema
  .extend({ key: z.string().describe('Send it as `Authorization: Bearer …`. It is shown only once.') })
  .meta({ id: 'CreatedApiKey' })

export type CreatedKey = z.infer<typeof createdKeySchema>

export const revokedKeySchema = z
  .object({ id: z.string(), object: z.literal('api_key'), deleted: z.literal(true) })
  .meta({ id: 'RevokedApiKey' })
