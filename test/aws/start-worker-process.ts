import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'

/** `espalier worker` in a process of its own. */
export interface WorkerUnderTest {
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
  /** Its exit code, once it has ended; null where a signal ended it. */
  ended: Promise<number | null>
  /** What it wrote to its log. */
  log(): string
  /** Waits while it plays. @throws an error with its log if it ends meanwhile: nothing here starts another, as ECS does */
  playFor(milliseconds: number): Promise<void>
}

const command = join(import.meta.dirname, '../../cli/espalier.ts')

/**
 * Starts a worker with the variables of a stage's functions, and waits until it takes episodes. A test that fails shows its log.
 * @throws an error with its log if it ends before
 */
export async function startWorkerProcess(
  environment: NodeJS.ProcessEnv,
  places: number,
): Promise<WorkerUnderTest> {
  let log = ''
  const child: ChildProcess = spawn(process.execPath, [command, 'worker', '--places', String(places)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  onTestFailed(() => void process.stderr.write(`The worker ${child.pid}:\n${log}`))
  const started = Promise.withResolvers<void>()
  child.stderr?.on('data', (text) => {
    log += text
    if (log.includes('worker.started')) started.resolve()
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const unlessEnded = <Value>(waiting: Promise<Value>) =>
    Promise.race([
      waiting,
      ended.then((code): never => {
        throw new Error(`The worker ended with ${code}:\n${log}`)
      }),
    ])
  await unlessEnded(started.promise)
  return {
    kill: (signal) => void child.kill(signal),
    ended,
    log: () => log,
    playFor: (milliseconds) => unlessEnded(new Promise((resolve) => setTimeout(resolve, milliseconds))),
  }
}
