import { formatCount, formatMoney } from '../shared/core/client/format-quantity.ts'
import type { TenantLimits } from '../shared/core/contracts/tenant-limits.ts'
import { formatTable } from './format-table.ts'

const columns = [
  { header: 'limit' },
  { header: 'at most', align: 'right' as const },
  { header: 'used', align: 'right' as const },
]

export function formatLimits({ tenant, cost, tokens, used }: TenantLimits, width: number): string[] {
  const rows = [
    ['cost', cost === null ? 'none' : formatMoney(cost), formatMoney(used.cost)],
    ['tokens', tokens === null ? 'none' : formatCount(tokens), formatCount(used.tokens)],
  ]
  return [`All runs of the tenant "${tenant}" together:`, '', ...formatTable(columns, rows, width)]
}
