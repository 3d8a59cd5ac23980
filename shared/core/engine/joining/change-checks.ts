import { EspalierError } from '../../contracts/errors.ts'
import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import type { LedgerChange, LedgerItem, LedgerKey, World } from '../../world/ports.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { JoinedWorker } from './join-gateway.ts'
import type { WorkerBook } from './worker-book.ts'

export interface LedgerGuard {
  world: World & { ledger: RetriedLedger }
  definitions: Pick<RunDefinitions, 'place'>
  book: WorkerBook
  worker: JoinedWorker
}

export type CheckedChanges = LedgerChange[] | { failed: number; item: LedgerItem | null }

export function refusedTo(what: string): EspalierError {
  return new EspalierError('invalid_state', `This worker may not ${what}: no message or claim permits it.`)
}

export function ratesKey({ tenant }: JoinedWorker, { sort }: LedgerKey): LedgerKey {
  return { partition: `tenant/${tenant}/rates`, sort }
}

export function hasOnly(change: LedgerChange, parts: readonly (keyof LedgerChange)[], doing: string): void {
  for (const part of Object.keys(change) as (keyof LedgerChange)[])
    if (part !== 'key' && !parts.includes(part)) throw refusedTo(doing)
}

export function namesOnly(item: object | undefined, names: readonly string[], doing: string): void {
  for (const name of Object.keys(item ?? {})) if (!names.includes(name)) throw refusedTo(doing)
}

export function removesOnly({ remove = [] }: LedgerChange, names: readonly string[], doing: string): void {
  if (!remove.every((name) => names.includes(name))) throw refusedTo(doing)
}

export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
