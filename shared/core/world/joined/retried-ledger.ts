import type { Ledger, LedgerChange } from '../ports.ts'

/** A ledger that makes a change with one token at most once, also if it is asked again after a restart. */
export interface RetriedLedger extends Ledger {
  update(change: LedgerChange, token?: string): ReturnType<Ledger['update']>
  transact(changes: LedgerChange[], token?: string): ReturnType<Ledger['transact']>
  wasMade(token: string): Promise<boolean>
}
