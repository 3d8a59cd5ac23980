/**
 * What the model of contention takes for granted of DynamoDB, S3 and SQS. Limits are those of Amazon's documentation; times are
 * ours, and no stage was measured.
 */
export const assumptions = {
  /** Milliseconds at the median. Each is spread as a log-normal with this sigma. */
  get: 4,
  query: 6,
  update: 6,
  transaction: 15,
  transactionPerItem: 0.4,
  object: 25,
  message: 12,
  sigma: 0.35,
  /** Units of 1 KiB written, and of 4 KiB read, that a partition key bears in a second; a transaction counts twice. */
  writesPerPartition: 1000,
  readsPerPartition: 3000,
  /** How often the driver tries a change that met others, and its pauses in milliseconds: as `jittered-pause.ts`. */
  tries: 24,
  firstPause: 50,
  longestPause: 2000,
} as const

/** As a table, for those who read the figures. */
export function assumptionRows(): [what: string, value: string][] {
  const a = assumptions
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
