/**
 * Assumptions of the contention model about DynamoDB, S3 and SQS. Limits are those of Amazon's documentation. Times
 * are ours, without a measured stage.
 */
export const contentionAssumptions = {
  /** Milliseconds at the median. Each is log-normally distributed with this sigma. */
  get: 4,
  query: 6,
  update: 6,
  transaction: 15,
  transactionPerItem: 0.4,
  object: 25,
  message: 12,
  sigma: 0.35,
  /** Units of 1 KiB written, and of 4 KiB read, per second and partition key. A transaction counts twice. */
  writesPerPartition: 1000,
  readsPerPartition: 3000,
  /** The driver's retries of a conflicting change, and its pauses in milliseconds, as in `jittered-pause.ts`. */
  tries: 24,
  firstPause: 50,
  longestPause: 2000,
} as const

export function assumptionRows(): [what: string, value: string][] {
  const a = contentionAssumptions
  return [
    ['a read of one item, a page, a change, at the median', `${a.get}, ${a.query}, ${a.update} ms`],
    ['a transaction', `${a.transaction} ms and ${a.transactionPerItem} ms an item`],
    ['how times are spread', `log-normal, σ = ${a.sigma}`],
    ['an item during a transaction', 'locked from its begin to its end; who comes meanwhile is refused'],
    [
      'a refused change',
      `tried ${a.tries} times, after up to ${a.firstPause} ms · 2ⁿ, at most ${a.longestPause} ms`,
    ],
    [
      'a partition key',
      `${a.writesPerPartition} units written and ${a.readsPerPartition} read a second; what is beyond waits`,
    ],
    ['the table', 'has as many partitions as are needed (warm throughput)'],
    ['an object, a batch of messages', `${a.object}, ${a.message} ms`],
    ['processes', '10 episodes each, as a batch of a function'],
  ]
}
