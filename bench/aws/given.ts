import { workerEconomy } from '../../functions/aws/economy.ts'

/**
 * What the simulations of a stage under long runs take for granted, all of it here and in one table of `docs/cost.md`; the rest is
 * counted from the real engine (`bench/cost`). Times are seconds.
 */
export const given = {
  /** A model's answer takes this share of its mean at least; the rest is exponentially distributed. */
  leastShare: 0.4,
  lambda: {
    /** Of an invocation: its time in all, when its episodes stop asking, and when calls without an answer are cut off. */
    time: 900,
    stop: 840,
    cut: 880,
  },
  /** From a message's sending until it is taken. */
  delivery: 0.1,
  /** What it takes to go on elsewhere: the claim given up and taken again, the journal listed and read. */
  hop: { s3_writes: 1, s3_reads: 8, ledger_writes: 8, ledger_reads: 4 },
  worker: {
    /** vCPUs and GB of its task, and episodes in flight at most, as `infra/scale-workers.ts` sets them. */
    cpu: 1,
    memory: 2,
    places: 500,
    gather: workerEconomy.gatherFor / 1000,
    /** How often CloudWatch looks at the queue, from the alarm to the first message taken, and without need before one goes. */
    alarm: 60,
    start: 60,
    linger: 900,
    /** Processor time of a call and of a segment, and the share of its processor that a worker uses before it takes no more. */
    call: 0.002,
    segment: 0.005,
    busy: 0.8,
    /** Hours after which Spot takes a task back, on average, and seconds from its notice until calls are cut off. */
    interruption: 24,
    notice: 100,
    /** Requests to SQS for an episode: a share of a sending and of a taking, and a deletion; polls of a task in a minute. */
    requests: 2.2,
    polls: 3,
    /** Seconds between two hidings of a message that is played. */
    hiding: 600,
  },
} as const
