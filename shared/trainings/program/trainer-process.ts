import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { clipText } from '../../contracts/well-formed.ts'
import { programVariables } from '../../programs/program-variables.ts'

/** Beside what every program sees: where the hub's models are kept and fetched, with whose token, and through which proxy. */
const ofTheHub = ['HF_HOME', 'HF_TOKEN', 'HF_ENDPOINT', /^(https?|no)_proxy$/i]

/** Bytes at the end of the log that are read for its last lines. */
const tailBytes = 16_384
const tailLines = 30
/** Characters of a line without an end that are kept. */
const longestLine = 65_536

export interface TrainerProgram {
  command: string
  options: readonly string[]
  folder: string
  environment: Readonly<Record<string, string>>
  /** The file that keeps what it prints. */
  log: string
  /** The file that names the process. */
  identity: string
  /** Sees every line that it prints, on both of its outputs; bars that are drawn over themselves come as lines. */
  onLine?: (line: string) => void
}

/** How a process ended. */
export interface TrainerExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/**
 * A trainer in a process group of its own, so that what it starts ends with it. It reads its standard input, which stays empty:
 * its end means that this process is gone, and the trainer leaves.
 */
export class TrainerProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  exit: TrainerExit | null = null

  private constructor(child: ChildProcess, log: NodeJS.WritableStream, onLine: TrainerProgram['onLine']) {
    this.#child = child
    child.stdin?.on('error', () => child.stdin?.destroy())
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    if (onLine !== undefined) for (const output of [child.stdout, child.stderr]) readLines(output, onLine)
    this.#gone = this.#watch(log)
  }

  static async start(program: TrainerProgram): Promise<TrainerProcess> {
    const { command, options, folder, environment, log, identity, onLine } = program
    await endLeftover(identity)
    const child = spawn(command, options, {
      cwd: folder,
      env: { ...programVariables(ofTheHub), ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const stream = createWriteStream(log, { flags: 'a' })
    // A full disk ends the trainer by its own words.
    stream.on('error', (error) => process.emitWarning(`Could not write ${log}: ${error.message}`))
    const started = new TrainerProcess(child, stream, onLine)
    if (child.pid !== undefined) {
      const facts = { pid: child.pid, begun: await beginOf(child.pid) }
      await writeFile(identity, JSON.stringify(facts))
    }
    return started
  }

  /** Resolves when it has ended, whatever ended it, and its log is written. */
  get ended(): Promise<TrainerExit> {
    return this.#gone.then(() => this.exit ?? { code: null, signal: null })
  }

  /** Ends it and all that it started. Resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.exit === null && this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL')
    await this.#gone
  }

  /** Asks it and all that it started to leave. */
  ask(): void {
    if (this.exit === null && this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGTERM')
  }

  async #watch(log: NodeJS.WritableStream): Promise<void> {
    try {
      const [code, signal] = (await once(this.#child, 'close')) as [number | null, NodeJS.Signals | null]
      this.exit = { code, signal }
    } catch (error) {
      log.write(`It could not be started: ${error instanceof Error ? error.message : String(error)}\n`)
      this.exit = { code: 127, signal: null }
    }
    log.end()
  }
}

/** The last lines of a log. */
export async function readTail(path: string): Promise<string[]> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split(/\r?\n|\r/)
    if (start > 0) lines.shift()
    return lines
      .filter((line) => line.trim() !== '')
      .slice(-tailLines)
      .map((line) => clipText(line, 500))
  } finally {
    await file.close()
  }
}

/** Ends a trainer that an earlier service left, should it not have noticed that this is gone. */
export async function endLeftover(identity: string): Promise<void> {
  let known: { pid: number; begun: string | null }
  try {
    known = JSON.parse(await readFile(identity, 'utf8'))
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    )
      return
    throw error
  }
  if (known.begun === null || (await beginOf(known.pid)) !== known.begun) return
  signalGroup(known.pid, 'SIGKILL')
  for (let time = 0; time < 100 && (await beginOf(known.pid)) === known.begun; time += 1) await sleep(50)
}

/** When the process began, in the machine's ticks: ids of processes are used again. Null where that cannot be read. */
async function beginOf(pid: number): Promise<string | null> {
  try {
    const [, rest = ''] = /\)\s(.*)$/s.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function readLines(output: Readable | null, onLine: (line: string) => void): void {
  let rest = ''
  output?.setEncoding('utf8')
  output?.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/)
    rest = lines.pop()?.slice(-longestLine) ?? ''
    for (const line of lines) onLine(line)
  })
  output?.on('end', () => onLine(rest))
}
