import { EspalierError } from '../../core/contracts/errors.ts'
import { Coalesced } from '../../core/world/coalesced.ts'
import { nothingReported } from './program/program-files.ts'
import { type Trainer, type TrainerJob, type TrainerState, TrainerUnreachableError } from './trainer.ts'

export interface RemoteJobs {
  start(job: TrainerJob): Promise<void>
  look(job: TrainerJob): Promise<TrainerState>
  stop(training: string, atOnce: boolean): Promise<void>
  release(training: string): Promise<void>
}

/** Reads the errors of a service: the text of a refusal, or null for any other error. */
export interface RefusalReader {
  beforeStart(error: unknown): string | null
  later(error: unknown): string | null
  convert?(error: unknown): unknown
}

const refusedPollSeconds = 60

/**
 * The part of a trainer that starts, polls, stops and releases such jobs. Nothing starts after a refusal. A refusal
 * about an existing job, for example because of an expired key, is waited out: the job itself continues.
 */
export function playRemoteJobs(
  jobs: RemoteJobs,
  refusals: RefusalReader,
): Pick<Trainer, 'start' | 'look' | 'stop' | 'release'> {
  const starts = new Coalesced()
  const wait = <Answer>(asked: Promise<Answer>) => waitingOut(asked, refusals)
  return {
    start: (job) => starts.run(job.training, () => orRefused(jobs.start(job), refusals)),

    async look(job) {
      await starts.settled(job.training)
      return wait(jobs.look(job))
    },

    async stop({ training }, { atOnce }) {
      await starts.settled(training)
      await wait(jobs.stop(training, atOnce))
    },

    async release(training) {
      await starts.settled(training)
      await wait(jobs.release(training))
    },
  }
}

/** @throws EspalierError `invalid_request` if the service refuses; TrainerUnreachableError if it does not answer for now */
export async function orRefused<Answer>(asked: Promise<Answer>, refusals: RefusalReader): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    const refusal = refusals.beforeStart(error)
    if (refusal === null) throw refusals.convert?.(error) ?? error
    throw new EspalierError('invalid_request', refusal, { param: 'trainer', cause: error })
  }
}

/** @throws TrainerUnreachableError */
export async function waitingOut<Answer>(asked: Promise<Answer>, refusals: RefusalReader): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    const refusal = refusals.later(error)
    if (refusal === null) throw refusals.convert?.(error) ?? error
    throw new TrainerUnreachableError(refusal, { retryAfter: refusedPollSeconds, cause: error })
  }
}

/** The state of a training that the service has no job of. A lost job is not created again by itself. */
export function stateWithoutJob({ used }: TrainerJob, lost: string): TrainerState {
  const had = used.starts > 0
  return {
    state: had ? 'failed' : 'absent',
    error: had ? { reason: 'trainer_failed', message: lost } : null,
    progress: nothingReported,
    rows: null,
    points: [],
    checkpoints: [],
    usage: { seconds: used.seconds, cost: 0, starts: used.starts },
    tail: [],
    warnings: [],
  }
}
