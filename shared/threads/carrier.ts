import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** What the carrier of a thread reports of it. */
export interface CarrierEvents {
  onMessage(message: unknown): void
  /** Called once it has ended, for whatever reason. @param isKilled - by another process, without a word of its own */
  onEnd(reason: string, isKilled?: boolean): void
}

/** A thread of this process, or a process, that calls are sent to. */
export interface Carrier {
  /** @throws an error when the message cannot be cloned */
  post(message: unknown): void
  /** Ends it at once, whatever it is at. */
  end(): Promise<unknown>
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void
}

/** A thread in this process: it starts fast and takes little, but one allocation beyond its limits ends the whole process. */
export function startThread(
  { file, name, resourceLimits }: { file: URL; name: string; resourceLimits?: ResourceLimits },
  { onMessage, onEnd }: CarrierEvents,
): Carrier {
  // None of the flags of this process: some, such as --input-type, are refused for a file.
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

/** Characters of a process's error output that are kept, for the reason of its end. */
const keptOutput = 8000
/** Lines of it that may say why it ended: the last one counts. */
const reasonLines = /^.*(?:FATAL ERROR:|Error:|Error \[).*$/gm

/**
 * A process of its own, in a group of its own: what it allocates and how it ends concerns no other. It ends with this process.
 * What it prints goes to this process's error output.
 *
 * @param start.memory MiB of its heap
 * @param start.variables that it sees. @default those of this process
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
  // What it started would else live on, and keep its output open.
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
      // Where it has ended meanwhile, its end says so.
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
