import type { Ledger } from '../ports.ts'
import { AwsConnections } from './aws-connections.ts'
import { AwsLedger } from './aws-ledger.ts'

/** Opens the ledger of a stage alone, without loading the other drivers of its world. */
export function openAwsLedger(table: string): Ledger {
  return new AwsLedger(new AwsConnections(), table)
}
