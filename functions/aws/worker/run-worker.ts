import { errorFields } from '../../api/log.ts'
import { type StageWorkerOptions, startStageWorker } from './stage-worker.ts'

export interface RunWorkerOptions extends Omit<StageWorkerOptions, 'onLost'> {
  /** Aborted when it is to leave. */
  interruption: AbortSignal
  /** Called once it takes episodes. */
  onReady?: (worker: string) => void
}

/** Milliseconds between two lines of its log about itself. */
const reportEvery = 60_000

/**
 * Seconds for which calls under way may go on when it leaves. Fargate's Spot ends a task two minutes after its notice: what is left
 * is for the last commits and for sending the episodes on.
 */
const grace = 100

/**
 * Plays a stage's episodes until it is interrupted.
 *
 * @throws what it cannot go on for: the stage was not reached for two minutes, or too much memory is in use
 */
export async function runWorker({ interruption, onReady, ...options }: RunWorkerOptions): Promise<void> {
  const { log } = options
  const lost = Promise.withResolvers<Error>()
  const worker = await startStageWorker({ ...options, onLost: lost.resolve })
  log({ level: 'info', event: 'worker.started', worker: worker.name, places: options.places })
  onReady?.(worker.name)
  const reports = setInterval(
    () => log({ level: 'info', event: 'worker.state', ...worker.state() }),
    reportEvery,
  )
  const error = await Promise.race([lost.promise, untilAborted(interruption)])
  clearInterval(reports)
  log({ level: 'info', event: 'worker.leaving', ...worker.state(), ...(error && errorFields(error)) })
  await worker.stop(grace)
  log({ level: 'info', event: 'worker.left', worker: worker.name })
  if (error !== null) throw error
}

function untilAborted(signal: AbortSignal): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  if (signal.aborted) resolve(null)
  else signal.addEventListener('abort', () => resolve(null), { once: true })
  return promise
}
