import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** `espalier worker` in a process of its own. */
export interface WorkerUnderTest {
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
  /** Its exit code, once it has ended; null where a signal ended it. */
  ended: Promise<number | null>
  /** What it wrote to its log. */
  log(): string
}

const command = join(import.meta.dirname, '../../cli/espalier.ts')

/** Starts a worker with the variables of a stage's functions, and waits until it takes episodes. */
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
  const started = Promise.withResolvers<void>()
  child.stderr?.on('data', (text) => {
    log += text
    if (log.includes('worker.started')) started.resolve()
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  await Promise.race([started.promise, ended])
  return { kill: (signal) => void child.kill(signal), ended, log: () => log }
}
