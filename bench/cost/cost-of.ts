import type { Operations } from './operations.ts'
import { prices } from './prices.ts'

export interface Cost {
  lambda: number
  s3: number
  dynamodb: number
  sqs: number
  api: number
  watching: number
  total: number
}

const million = 1e6
const gigabyte = 1e9

export function costOf(operations: Operations): Cost {
  const parts = {
    lambda:
      operations.lambda_gb_seconds * prices.lambda.gb_second +
      (operations.lambda_requests / million) * prices.lambda.requests,
    s3: (operations.s3_writes * prices.s3.writes + operations.s3_reads * prices.s3.reads) / million,
    dynamodb:
      (operations.ledger_writes * prices.dynamodb.writes + operations.ledger_reads * prices.dynamodb.reads) /
      million,
    sqs: (operations.queue_requests / million) * prices.sqs.fair,
    api: (operations.api_requests / million) * prices.api.requests,
    watching:
      (operations.log_bytes / gigabyte) * prices.list.logs +
      (operations.traces / million) * prices.list.traces,
  }
  return { ...parts, total: Object.values(parts).reduce((all, part) => all + part, 0) }
}

export function storageOf({ s3_bytes, ledger_bytes }: Operations): number {
  const { table_storage, table_backup } = prices.list
  return (s3_bytes * prices.s3.storage + ledger_bytes * (table_storage + table_backup)) / gigabyte
}

/** An hour of a Fargate task with this many vCPUs and GB of memory. */
export function taskHour(
  { cpu, memory }: { readonly cpu: number; readonly memory: number },
  capacity: 'spot' | 'on demand',
): number {
  const { fargate } = prices
  const task = cpu * fargate.cpu + memory * fargate.memory
  return task * (capacity === 'spot' ? fargate.spot : 1) + fargate.address
}
