import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { programVariables } from '../../../core/programs/program-variables.ts'

const ofTheHub = ['HF_HOME', 'HF_TOKEN', 'HF_ENDPOINT', /^(https?|no)_proxy$/i]

const tailBytes = 16_384
const tailLines = 30
const longestLine = 65_536

export interface TrainerProgram {
  command: string
  options: readonly string[]
  folder: string
  environment: Readonly<Record<string, string>>
  log: string
  identity: string
  onLine?: (line: string) => void
}

export interface TrainerExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/**
 * A trainer in its own process group, so that its child processes end with it. It reads its standard input, which
 * stays empty. The end of the input means that this process is gone, and the trainer leaves.
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
    // On a full disk the trainer ends with its own error.
    stream.on('error', (error) => process.emitWarning(`Could not write ${log}: ${error.message}`))
    const started = new TrainerProcess(child, stream, onLine)
    if (child.pid !== undefined) {
      const facts = { pid: child.pid, begun: await beginOf(child.pid) }
      await writeFile(identity, JSON.stringify(facts))
    }
    return started
  }

  get ended(): Promise<TrainerExit> {
    return this.#gone.then(() => this.exit ?? { code: null, signal: null })
  }

  async kill(): Promise<void> {
    if (this.exit === null && this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL')
    await this.#gone
  }

  ask(): void {
    if (this.exit === null && this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGTERM')
  }

  async #watch(log: NodeJS.WritableStream): Promise<void> {
    let exit: TrainerExit
    try {
      const [code, signal] = (await once(this.#child, 'close')) as [number | null, NodeJS.Signals | null]
      exit = { code, signal }
    } catch (error) {
      log.write(`It could not be started: ${error instanceof Error ? error.message : String(error)}\n`)
      exit = { code: 127, signal: null }
    }
    // A reader that sees the end finds the last lines in the log.
    await new Promise<void>((resolve) => log.end(() => resolve()))
    this.exit = exit
  }
}

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

/**
 * The start time of the process in the machine's ticks, because process ids are reused. Null if it cannot be read.
 */
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
