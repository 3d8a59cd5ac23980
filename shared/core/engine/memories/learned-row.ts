import type { RunRequest } from '../../contracts/run.ts'
import type { LedgerKey } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { Learned } from '../runs/run-planner.ts'

export type LearnedRow = {
  run: string
  environment: string
  method: string
  created_at: string
}

export function learnedItem(
  run: string,
  { environment, method }: RunRequest,
  created_at: string,
): LearnedRow {
  return { run, environment, method: method.id, created_at }
}

export function learnedKey(kind: Learned, tenant: string, id: string): LedgerKey {
  return kind === 'memory' ? ledgerKeys.tenantMemory(tenant, id) : ledgerKeys.tenantLibrary(tenant, id)
}
