import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:net'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { clipText } from '../../core/contracts/well-formed.ts'
import { programVariables } from '../../core/programs/program-variables.ts'

const runWithParent = join(import.meta.dirname, `run-with-parent${extname(import.meta.filename)}`)

/**
 * Variables for servers besides those of every program: settings of accelerators, of model servers and of the proxy.
 */
const ofServers = [
  /^(CUDA|NVIDIA|HIP|ROCR|LC|PYTHON|VLLM|SGLANG|TRITON)_/,
  /^(https?|no)_proxy$/i,
  'PYTHONHOME',
  'HF_HOME',
  'HF_HUB_OFFLINE',
  'XDG_CACHE_HOME',
]

export const serverVariables = (): Record<string, string> => programVariables(ofServers)

const keptLines = 40
const longestLine = 500
const healthPoll = 100
const healthPatience = 5000

export interface ServerEnd {
  how: string
  tail: string[]
}

export class ServerProcess {
  readonly #child: ChildProcess
  readonly #tail: string[] = []
  readonly #ended: Promise<ServerEnd>
  #hasEnded = false
  readonly address: string

  constructor(
    command: readonly string[],
    {
      port,
      log,
      environment = {},
    }: { port: number; log: string; environment?: Readonly<Record<string, string>> | undefined },
  ) {
    this.address = `http://127.0.0.1:${port}`
    this.#child = spawn(process.execPath, [runWithParent, ...command], {
      env: { ...serverVariables(), ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    this.#ended = this.#watch(log)
  }

  get tail(): string[] {
    return [...this.#tail]
  }

  get ended(): Promise<ServerEnd> {
    return this.#ended
  }

  /**
   * Waits until `/health` succeeds.
   * @param patience seconds
   * @throws Error with its end, or if it takes too long
   */
  async healthy(patience: number, signal: AbortSignal): Promise<void> {
    const late = performance.now() + patience * 1000
    let said = 'nothing'
    while (!this.#hasEnded) {
      signal.throwIfAborted()
      if (performance.now() > late) {
        throw new Error(`it was not healthy within ${patience} seconds; its last answer was ${said}`)
      }
      said = await this.#look()
      if (said === '200') return
      await new Promise((resolve) => setTimeout(resolve, healthPoll))
    }
    throw new Error((await this.#ended).how)
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#killGroup(), 8000)
    await this.#ended
    clearTimeout(timer)
    this.#killGroup()
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }

  async #look(): Promise<string> {
    try {
      const answer = await fetch(`${this.address}/health`, { signal: AbortSignal.timeout(healthPatience) })
      await answer.text()
      return String(answer.status)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async #watch(path: string): Promise<ServerEnd> {
    const { stderr, stdin, stdout } = this.#child
    const log = createWriteStream(path, { flags: 'a' })
    log.on('error', (error) => process.emitWarning(`Could not write ${path}: ${error.message}`))
    stdin?.on('error', () => stdin.destroy())
    for (const stream of [stdout, stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`)
        this.#tail.push(clipText(line, longestLine))
        if (this.#tail.length > keptLines) this.#tail.shift()
      })
    }
    const how = await once(this.#child, 'close').then(
      ([code, signal]) => (signal === null ? `it ended with code ${code}` : 'it ended'),
      (error: unknown) =>
        `it could not be started: ${error instanceof Error ? error.message : String(error)}`,
    )
    this.#hasEnded = true
    log.end()
    return { how, tail: this.tail }
  }
}

/**
 * Finds a port of 127.0.0.1 for a program that needs one. It lies below the ports that systems choose themselves, so
 * that no connection and no other server takes it before the program listens.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(15_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('Of a hundred ports none was free.')
}
