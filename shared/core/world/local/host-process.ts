import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { programVariables } from '../../programs/program-variables.ts'
import type { Host } from '../ports.ts'

const exitWithParent = join(import.meta.dirname, `exit-with-parent${extname(import.meta.filename)}`)

const ofHosts = [
  'ESPALIER_PROGRAM_VARIABLES',
  'ESPALIER_CHROMIUM',
  'ESPALIER_BROWSER_TRACES',
  'ESPALIER_BROWSER_TRACES_KEPT',
  'ESPALIER_DESKTOP_PACE',
]

const longestStart = 60_000

export interface HostProgram {
  id: string
  image: string
  token?: string
  entry: string
  environment: Record<string, string>
  log: string
}

/**
 * A child process that runs a host. On a line of its own it prints `{"port": N}` once its HTTP server listens, or
 * `{"failed": why}` if that is impossible.
 */
export class HostProcess {
  readonly #program: HostProgram
  readonly #child: ChildProcess
  readonly #gone: Promise<void>
  #status: Host['status'] = 'starting'
  #port: number | null = null
  #reason: string | null = null
  #failed: string | null = null
  #stopping = false

  constructor(program: HostProgram) {
    this.#program = program
    const flags = process.sourceMapsEnabled ? ['--enable-source-maps'] : []
    this.#child = spawn(process.execPath, [...flags, '--import', exitWithParent, program.entry], {
      env: { ...programVariables(ofHosts), ...program.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A Ctrl-C in the terminal is for this process, which then lets its hosts drain.
      detached: true,
    })
    this.#gone = this.#watch()
  }

  describe(): Host {
    const address = this.#status === 'running' ? `http://127.0.0.1:${this.#port}` : null
    const { id, image, token } = this.#program
    return {
      id,
      image,
      ...(token !== undefined && { token }),
      status: this.#status,
      address,
      reason: this.#reason,
    }
  }

  async started(): Promise<void> {
    const { stdout } = this.#child
    if (stdout === null) return
    const timer = setTimeout(() => {
      this.#reason = `It did not report its port within ${longestStart / 1000} seconds; its output is in ${this.#program.log}.`
      this.#child.kill('SIGKILL')
    }, longestStart)
    const lines = createInterface({ input: stdout })
    const reported = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        if (this.#status !== 'starting') return
        const { port, failed } = reportIn(line)
        if (typeof failed === 'string') this.#failed = failed
        if (typeof port !== 'number') return
        this.#port = port
        this.#status = 'running'
        resolve()
      })
    })
    await Promise.race([reported, this.#gone])
    clearTimeout(timer)
  }

  /** @param grace seconds between asking and ending */
  async stop(grace: number): Promise<void> {
    this.#stopping = true
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), grace * 1000)
    await this.#gone
    clearTimeout(timer)
  }

  async #watch(): Promise<void> {
    const { stdout, stderr, stdin } = this.#child
    const log = createWriteStream(this.#program.log, { flags: 'a' })
    log.on('error', (error) => process.emitWarning(`Could not write ${this.#program.log}: ${error.message}`))
    // Writing to a host that has left is no failure of ours.
    stdin?.on('error', () => stdin.destroy())
    stdout?.pipe(log, { end: false })
    stderr?.pipe(log, { end: false })
    let why: string
    try {
      const [code, signal] = await once(this.#child, 'close')
      why = signal === null ? `It ended with code ${code}` : `It was ended by ${signal}`
    } catch (error) {
      why = `It could not be started: ${error instanceof Error ? error.message : String(error)}`
    }
    log.end()
    await finished(log).catch((error: unknown) => process.emitWarning(String(error)))
    const early = this.#status === 'starting' ? ' before it reported its port' : ''
    this.#reason ??= this.#stopping
      ? 'It was stopped.'
      : `${why}${early}${this.#failed === null ? '' : ` (${this.#failed})`}; its output is in ${this.#program.log}.`
    this.#status = 'stopped'
  }
}

function reportIn(line: string): { port?: unknown; failed?: unknown } {
  if (!line.startsWith('{')) return {}
  try {
    return JSON.parse(line) as object
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
