import { economy } from '../../functions/aws/economy.ts'
import { heartbeat } from '../../shared/core/engine/workers.ts'

export const assumptions = {
  /**
   * A model's answer takes at least `least` seconds and `mean` on average, with an exponentially distributed
   * remainder.
   */
  latency: { least: 0.8, mean: 2 },
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
} as const
