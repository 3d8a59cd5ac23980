import { z } from 'zod'
import { EspalierError } from './errors.ts'
import { tenantPattern } from './tenant-pattern.ts'

/** The name of a tenant. It stands in keys of the ledger, so nothing else may pass for one. */
export const tenantSchema = z
  .string()
  .regex(tenantPattern)
  .meta({ description: 'Who owns runs, datasets and keys.', example: 'default' })

/** Whose a local service's runs are unless a key or a command names another. */
export const defaultTenant = 'default'

/**
 * The name of a tenant, if it is one.
 *
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
