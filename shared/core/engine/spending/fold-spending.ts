import { hash } from 'node:crypto'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { unchanged } from './give-back.ts'
import { type SpendingRow, toSpendingRow } from './spending-row.ts'

const totals = 8

export function totalOf(worker: string): string {
  return `total-${Number.parseInt(hash('sha256', worker).slice(0, 8), 16) % totals}`
}

/**
 * Adds a worker's spending for a run, of which it holds no lease any more, to one of the run's totals, and deletes
 * the worker's item. A run played by thousands of invocations is then read as quickly as one played by a single
 * process.
 */
export async function foldSpending(world: World, run: string, worker: string): Promise<void> {
  const key = ledgerKeys.spending(run, worker)
  const item = (await world.ledger.get(key)) as Partial<SpendingRow> | null
  if (!item) return
  // If the item has changed meanwhile it stays, and counts as it is.
  await world.ledger.transact([
    { key, delete: true, if: [{ is: 'present' }, ...unchanged(item)] },
    { key: ledgerKeys.spending(run, totalOf(worker)), add: toSpendingRow(item) },
  ])
}
