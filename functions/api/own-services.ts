import { type ApiContext, principalOf } from './api-app.ts'
import type { ApiServices, TenantServices } from './api-services.ts'

/** The services of the tenant whose key a request shows: handlers reach nothing else. */
export function ownServices(services: Pick<ApiServices, 'tenant'>, context: ApiContext): TenantServices {
  return services.tenant(principalOf(context).tenant)
}
