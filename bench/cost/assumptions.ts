import { economy, workerEconomy } from '../../functions/aws/economy.ts'
import { heartbeat } from '../../shared/core/engine/workers.ts'

/** Listed in tables of `docs/cost.md`. The other figures are counted from the real engine. */
export const assumptions = {
  /**
   * A model's answer takes `mean` seconds on average, at least this share of it, with an exponentially distributed
   * remainder.
   */
  latency: { leastShare: 0.4, mean: 2 },
  /** Seconds of the world besides the model: for a segment of the journal, at an episode's start and at its end. */
  waits: { segment: 0.05, start: 0.15, end: 0.25 },
  worker: {
    batch: 10,
    memory: 1024,
    concurrency: 50,
    /** Seconds that answers wait for others, between heartbeats, and between polls of the runs played. */
    gather: economy.gatherFor / 1000,
    heartbeat: heartbeat.every,
    look: economy.lookEvery / 1000,
    /** Seconds billed per invocation besides its episodes: loading, the first and the last writes. */
    overhead: 0.5,
  },
  /** A worker's log: bytes per episode, and per invocation (its start, report and metrics). */
  logs: { episode: 700, invocation: 1700 },
  /**
   * Conflicts of an episode's end with another worker's change of the run, each retried, and write units per attempt.
   */
  races: { tries: 0.3, writes: 12, reads: 1 },
  api: { requests: 100, memory: 1536, seconds: 0.1, reads: 10 },
  /** Of `build-dataset`: MB, the attempts of a part and concurrent reads, and seconds per attempt and of overhead. */
  builder: { memory: 1024, part: 256, atOnce: 2, episode: 0.1, overhead: 1 },
  /**
   * Of requests without a valid key: seconds of an open answer, MB of the largest file, seconds and MB of the
   * authorizer, and bytes of the gateway's log line.
   */
  flood: {
    answer: 0.05,
    file: 1.5,
    look: 0.02,
    authorizer: 256,
    line: 500,
    /** Requests a second that the gateway lets through, of all routes together, as `infra/concurrency.ts` sets them. */
    rates: { short: 4, files: 0.6, pages: 8, keyed: 100 },
    // Megabytes of the dashboard's largest file, uncompressed, to which one of the four routes leads.
    page: 0.6,
    shows: 256,
  },
  month: { hours: 730 },
  idle: {
    /** Lambda's pollers per queue, and seconds of a long poll. */
    pollers: 5,
    poll: 20,
    /** Of the functions called every minute: seconds billed and bytes logged. */
    seconds: 0.2,
    logged: 1700,
    secrets: 1,
    images: 1.6,
  },
  /** A host's task: vCPUs and GB, as `infra/host-image.ts` sets them for the environments written here. */
  host: { cpu: 0.5, memory: 1 },
  desktop: { cpu: 2, memory: 4 },
  /** Of the simulated stages under long runs. Times are seconds. */
  stage: {
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
      /** Seconds between objects of its log, and the segments of a journal that are copied out of it at once. */
      group: workerEconomy.groupFor / 1000,
      copied: 32,
      /** More for each hop: an episode leaves one log and begins in another. */
      leaving: { s3_writes: 3, s3_reads: 2 },
      /**
       * CloudWatch's period for the queue, from the alarm to the first message received, idle time before a worker
       * leaves, and time without any played episode until workers start on demand.
       */
      alarm: 60,
      start: 60,
      linger: 900,
      stalled: 600,
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
  },
} as const
