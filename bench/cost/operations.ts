export interface Operations {
  s3_writes: number
  s3_reads: number
  s3_bytes: number
  /** Write request units of DynamoDB: one for each started KB of an item, two in a transaction. */
  ledger_writes: number
  /** Read request units of DynamoDB: one for each started 4 KB, read consistently. */
  ledger_reads: number
  ledger_bytes: number
  queue_requests: number
  api_requests: number
  lambda_requests: number
  lambda_gb_seconds: number
  log_bytes: number
  traces: number
}

export const nothing: Readonly<Operations> = {
  s3_writes: 0,
  s3_reads: 0,
  s3_bytes: 0,
  ledger_writes: 0,
  ledger_reads: 0,
  ledger_bytes: 0,
  queue_requests: 0,
  api_requests: 0,
  lambda_requests: 0,
  lambda_gb_seconds: 0,
  log_bytes: 0,
  traces: 0,
}

const names = Object.keys(nothing) as (keyof Operations)[]

export function sum(...all: Partial<Operations>[]): Operations {
  const total = { ...nothing }
  for (const operations of all) for (const name of names) total[name] += operations[name] ?? 0
  return total
}

export function times(operations: Partial<Operations>, factor: number): Operations {
  const scaled = { ...nothing }
  for (const name of names) scaled[name] = (operations[name] ?? 0) * factor
  return scaled
}
