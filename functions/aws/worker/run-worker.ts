import { errorFields } from '../../api/log.ts'
import { publishMetrics } from './publish-metrics.ts'
import { type StageWorkerOptions, startStageWorker } from './stage-worker.ts'

export interface RunWorkerOptions extends Omit<StageWorkerOptions, 'onLost'> {
  interruption: AbortSignal
  onReady?: (worker: string) => void
}

const reportEvery = 60_000

/**
 * Seconds for which pending calls may continue when the worker leaves. Fargate Spot ends a task two minutes after its
 * notice. The difference is for the last commits and for sending the episodes on.
 */
const grace = 100

/**
 * Plays a stage's episodes until interrupted.
 * @throws the reason it cannot continue: the stage was unreachable for two minutes, or memory use is too high
 */
export async function runWorker({ interruption, onReady, ...options }: RunWorkerOptions): Promise<void> {
  const { log } = options
  const lost = Promise.withResolvers<Error>()
  const worker = await startStageWorker({ ...options, onLost: lost.resolve })
  log({ level: 'info', event: 'worker.started', worker: worker.name, places: options.places })
  onReady?.(worker.name)
  const reports = setInterval(() => {
    const state = worker.state()
    log({ level: 'info', event: 'worker.state', ...state })
    publishMetrics(state)
  }, reportEvery)
  const error = await Promise.race([lost.promise, untilAborted(interruption)])
  clearInterval(reports)
  log({ level: 'info', event: 'worker.leaving', ...worker.state(), ...(error && errorFields(error)) })
  await worker.stop(grace)
  publishMetrics()
  log({ level: 'info', event: 'worker.left', worker: worker.name })
  if (error !== null) throw error
}

function untilAborted(signal: AbortSignal): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  if (signal.aborted) resolve(null)
  else signal.addEventListener('abort', () => resolve(null), { once: true })
  return promise
}
