import type { Ledger } from '../ports.ts'
import { AwsConnections } from './aws-connections.ts'
import { AwsLedger } from './aws-ledger.ts'

export function openAwsLedger(table: string): Ledger {
  return new AwsLedger(new AwsConnections(), table)
}
