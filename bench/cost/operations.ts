/** What AWS bills, in the units it bills in. */
export interface Operations {
  /** PUT, COPY, POST and LIST requests to S3. */
  s3_writes: number
  /** GET and HEAD requests to S3. */
  s3_reads: number
  /** Bytes that stay in S3. */
  s3_bytes: number
  /** Write request units of DynamoDB: one for each started KB of an item, two in a transaction. */
  ledger_writes: number
  /** Read request units of DynamoDB: one for each started 4 KB read consistently. */
  ledger_reads: number
  /** Bytes that stay in DynamoDB. */
  ledger_bytes: number
  /** Requests to SQS, each of at most ten messages. */
  queue_requests: number
  /** Requests to the HTTP API. */
  api_requests: number
  lambda_requests: number
  /** Seconds of Lambda's time times the function's memory in GB. */
  lambda_gb_seconds: number
  /** Bytes written to CloudWatch's logs. */
  log_bytes: number
  /** Traces recorded by X-Ray. */
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

/** All of them together; what is not named is nothing. */
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
