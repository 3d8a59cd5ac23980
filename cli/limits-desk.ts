import type { TenantLimits, TenantLimitsRequest } from '../shared/core/contracts/tenant-limits.ts'
import type { DeskWays } from './at-desk.ts'

export interface LimitsDesk {
  get(): Promise<TenantLimits>
  set(limits: TenantLimitsRequest): Promise<TenantLimits>
}

export const limitsDesk: DeskWays<LimitsDesk> = {
  service: (client) => ({ get: client.limits, set: client.setLimits }),
  async ledger(ledger, tenant) {
    const { openTenantLimits } = await import('../shared/core/engine/spending/open-tenant-limits.ts')
    const limits = openTenantLimits({ ledger })
    return { get: () => limits.get(tenant), set: (request) => limits.set(tenant, request) }
  },
}
