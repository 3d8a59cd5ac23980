import type { Ledger } from '../ports.ts'
import { AwsConnections } from './aws-connections.ts'
import { AwsLedger } from './aws-ledger.ts'

/** The ledger of a stage alone, for those who need nothing else of its world and should load nothing else. */
export function openAwsLedger(table: string): Ledger {
  return new AwsLedger(new AwsConnections(), table)
}
