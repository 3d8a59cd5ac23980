import { z } from 'zod'
import { scopeSchema } from '../../../shared/core/contracts/key.ts'
import { tenantSchema } from '../../../shared/core/contracts/tenant.ts'
import type { Authenticate } from './authenticate.ts'

/**
 * The Lambda authorizer's context for a valid key. All values are texts, because the gateway passes nothing else on.
 */
export const gatewayContextSchema = z.object({
  tenant: tenantSchema,
  scopes: z
    .string()
    .transform((text) => text.split(' '))
    .pipe(z.array(scopeSchema)),
  key: z.string(),
})

const eventSchema = z.object({
  requestContext: z.object({ authorizer: z.object({ lambda: gatewayContextSchema }) }),
})

export const gatewayPrincipal: Authenticate = (context) => {
  const { event } = z.object({ event: z.unknown() }).parse(context.env)
  return eventSchema.safeParse(event).data?.requestContext.authorizer.lambda ?? null
}
