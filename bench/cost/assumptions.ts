import { economy } from '../../functions/aws/economy.ts'
import { heartbeat } from '../../shared/engine/workers.ts'

/**
 * What the cost model takes for granted, all of it here. Everything else is counted from the real engine, or follows from
 * these by arithmetic.
 */
export const assumptions = {
  /** A model's answer takes `least` seconds and a random rest (exponentially distributed), `mean` in all. */
  latency: { least: 0.8, mean: 2 },
  /** Seconds that the world takes beside the model's: for a segment of the journal, at an episode's start and at its end. */
  waits: { segment: 0.05, start: 0.15, end: 0.25 },
  /** Of `advance-episodes`, as `infra/engine.ts` sets them. */
  worker: {
    batch: 10,
    memory: 1024,
    concurrency: 50,
    /** Seconds that answers wait for others, between heartbeats, and between looks at the runs played. */
    gather: economy.gatherFor / 1000,
    heartbeat: heartbeat.every,
    look: economy.lookEvery / 1000,
    /** Seconds billed for an invocation beside its episodes: loading, the first and the last writes. */
    overhead: 0.5,
  },
  /** What a worker logs: bytes for an episode, for an invocation (its start, report and metrics). */
  logs: { episode: 700, invocation: 1700 },
  /** How often an episode's end meets another worker's change of the run and is tried again, and write units of a try. */
  races: { tries: 0.3, writes: 12, reads: 1 },
  /** Requests to the API for a run of a thousand episodes, with the memory, the seconds and the read units of each. */
  api: { requests: 100, memory: 1536, seconds: 0.1, reads: 10 },
  /** Of `build-dataset`: MB, the attempts of a part and how many are read at once, and seconds for one and beside them. */
  builder: { memory: 1024, part: 256, atOnce: 2, episode: 0.1, overhead: 1 },
  /** A month has 730 hours. */
  month: { hours: 730 },
  /** What an idle stage does. */
  idle: {
    /** Of Lambda for each queue: how many look at a time, and for how many seconds a look waits. */
    pollers: 5,
    poll: 20,
    /** Of the functions called every minute: seconds billed and bytes logged. */
    seconds: 0.2,
    logged: 1700,
    /** Secrets with keys of models, and GB of images. */
    secrets: 1,
    images: 1.6,
  },
  /** A host's task: vCPUs and GB, as `infra/host-image.ts` sets them for the environments written here. */
  host: { cpu: 0.5, memory: 1 },
  /** The task of a desktop, which holds one. */
  desktop: { cpu: 2, memory: 4 },
} as const
