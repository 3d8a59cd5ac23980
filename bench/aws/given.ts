import { workerEconomy } from '../../functions/aws/economy.ts'

/**
 * Assumptions of the simulated stages under long runs, listed here and in one table of `docs/cost.md`. Everything
 * else is counted from the real engine (`bench/cost`). Times are seconds.
 */
export const given = {
  /** The minimum of a model's answer as a share of its mean. The remainder is exponentially distributed. */
  leastShare: 0.4,
  lambda: {
    time: 900,
    stop: 840,
    cut: 880,
  },
  delivery: 0.1,
  /** Operations of a hand-over: the claim is released and taken again, the journal listed and read. */
  hop: { s3_writes: 1, s3_reads: 8, ledger_writes: 8, ledger_reads: 4 },
  worker: {
    /** vCPUs and GB of its task, and maximum episodes in flight, as `infra/scale-workers.ts` sets them. */
    cpu: 1,
    memory: 2,
    places: 500,
    gather: workerEconomy.gatherFor / 1000,
    /**
     * CloudWatch's period for the queue, from the alarm to the first message received, and idle time before a worker
     * leaves.
     */
    alarm: 60,
    start: 60,
    linger: 900,
    /**
     * Processor time of a call and of a segment, and the share of its processor above which a worker takes no more.
     */
    call: 0.002,
    segment: 0.005,
    busy: 0.8,
    /** Mean hours until Spot takes a task back, and seconds from its notice until calls are cut off. */
    interruption: 24,
    notice: 100,
    /** SQS requests per episode: a share of a send and of a receive, and a deletion. Polls per task and minute. */
    requests: 2.2,
    polls: 3,
    /** Seconds between two extensions of a message's visibility timeout. */
    hiding: 600,
  },
} as const
