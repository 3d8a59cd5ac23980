import { type ApiContext, principalOf } from './api-app.ts'
import type { ApiServices, TenantServices } from './api-services.ts'

export function ownServices(services: Pick<ApiServices, 'tenant'>, context: ApiContext): TenantServices {
  return services.tenant(principalOf(context).tenant)
}
