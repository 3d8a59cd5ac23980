import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface CarrierEvents {
  onMessage(message: unknown): void
  /**
   * Called once after its end, for whatever reason. @param isKilled - killed by another process, without a message of
   * its own
   */
  onEnd(reason: string, isKilled?: boolean): void
}

export interface Carrier {
  /** @throws an error when the message cannot be cloned */
  post(message: unknown): void
  end(): Promise<unknown>
  hold(isHeld: boolean): void
}

/**
 * Starts a thread in this process. It starts fast and uses little memory, but one allocation beyond its limits ends
 * the whole process.
 */
export function startThread(
  { file, name, resourceLimits }: { file: URL; name: string; resourceLimits?: ResourceLimits },
  { onMessage, onEnd }: CarrierEvents,
): Carrier {
  // Passes none of this process's flags: a file refuses some, such as --input-type.
  const worker = new Worker(file, { name, execArgv: [], ...(resourceLimits && { resourceLimits }) })
  worker.on('message', onMessage)
  worker.on('error', (error: unknown) => onEnd(error instanceof Error ? error.message : String(error)))
  worker.on('exit', (code) => onEnd(`It exited with code ${code}.`))
  return {
    post: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  }
}

const keptOutput = 8000
/** Lines of it that may state the reason of its end: the last one counts. */
const reasonLines = /^.*(?:FATAL ERROR:|Error:|Error \[).*$/gm

/**
 * Starts a process in a process group of its own: its allocations and its end affect no other process. It ends with
 * this process. Its output goes to this process's error output.
 *
 * @param start.memory MiB of its heap
 * @param start.variables its environment variables. @default those of this process
 */
export function startProcess(
  { file, memory, variables }: { file: URL; memory: number; variables?: NodeJS.ProcessEnv },
  { onMessage, onEnd }: CarrierEvents,
): Carrier {
  const child = fork(fileURLToPath(file), [String(process.pid), String(memory)], {
    execArgv: [`--max-old-space-size=${memory}`],
    ...(variables && { env: variables }),
    serialization: 'advanced',
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    detached: true,
  })
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>()
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = `${printed}${text}`.slice(-keptOutput)
    process.stderr.write(text)
  })
  child.on('message', onMessage)
  const finish = (how: string, isKilled = false) => {
    onEnded()
    const said = printed.match(reasonLines)?.at(-1)?.trim()
    if (said === undefined) onEnd(how, isKilled)
    else onEnd(`${how} It printed: ${said}`)
  }
  // Its children would otherwise survive, and keep its output open.
  child.once('exit', () => killGroup(child.pid))
  child.on('error', (error) => finish(error.message))
  // Its output is complete then.
  child.on('close', (code, signal) =>
    signal === null
      ? finish(`It exited with code ${code}.`)
      : finish(`It was ended by ${signal}.`, signal === 'SIGKILL'),
  )
  return {
    post: (message) => {
      // If it has ended meanwhile, its end reports that.
      if (child.connected) child.send(message as object, () => undefined)
    },
    async end() {
      killGroup(child.pid)
      await ended
    },
    hold(isHeld) {
      const pipe = child.stderr as unknown as { ref(): void; unref(): void } | null
      for (const each of [child, child.channel, pipe]) {
        if (isHeld) each?.ref()
        else each?.unref()
      }
    },
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // The group has no process left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
