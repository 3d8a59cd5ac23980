import { EspalierError } from '../../contracts/errors.ts'
import { nanoPerDollar, toNano } from '../../contracts/money.ts'
import { checkTenant } from '../../contracts/tenant.ts'
import type { TenantLimits, TenantLimitsRequest } from '../../contracts/tenant-limits.ts'
import type { Ledger } from '../../world/ports.ts'
import { readTenant, setTenantCaps, type TenantRow } from './tenant-row.ts'

export interface LimitsOfTenants {
  get(tenant: string): Promise<TenantLimits>
  /** @throws EspalierError `invalid_request` if there is nothing to set */
  set(tenant: string, limits: TenantLimitsRequest): Promise<TenantLimits>
}

export function openTenantLimits({ ledger }: { ledger: Ledger }): LimitsOfTenants {
  return {
    async get(tenant) {
      return toLimits(checkTenant(tenant), await readTenant(ledger, tenant))
    },
    async set(tenant, { cost, tokens }) {
      if (cost === undefined && tokens === undefined) {
        throw new EspalierError('invalid_request', 'Say which limit: cost, tokens, or both.', {
          param: 'cost',
        })
      }
      const caps = {
        ...(cost !== undefined && { cap_cost: cost === null ? null : toNano(cost) }),
        ...(tokens !== undefined && { cap_tokens: tokens }),
      }
      return toLimits(tenant, await setTenantCaps(ledger, checkTenant(tenant), caps))
    },
  }
}

function toLimits(tenant: string, row: TenantRow): TenantLimits {
  return {
    object: 'tenant_limits',
    tenant,
    cost: row.cap_cost === null ? null : row.cap_cost / nanoPerDollar,
    tokens: row.cap_tokens,
    used: { cost: row.leased_cost / nanoPerDollar, tokens: row.leased_tokens },
  }
}
