import { z } from 'zod'
import { EspalierError } from './errors.ts'
import { tenantPattern } from './tenant-pattern.ts'

/** The name of a tenant. Ledger keys contain it, so no other string may pass. */
export const tenantSchema = z
  .string()
  .regex(tenantPattern)
  .meta({ description: 'The owner of runs, datasets and keys.', example: 'default' })

export const defaultTenant = 'default'

/**
 * Checks a tenant's name.
 * @throws EspalierError `invalid_request`
 */
export function checkTenant(name: string): string {
  if (tenantSchema.safeParse(name).success) return name
  throw new EspalierError(
    'invalid_request',
    `"${name}" is not the name of a tenant. Use 1 to 63 lower-case letters, digits and hyphens, a hyphen never first.`,
    { param: 'tenant' },
  )
}
