import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type ChildProcesses, childrenOf } from './child-processes.ts'
import { controlVariable } from './inject/control.ts'

const root = resolve(import.meta.dirname, '..')
const preload = pathToFileURL(join(import.meta.dirname, 'inject/preload.ts')).href

const longestStartMilliseconds = 60_000
const keptErrors = 20_000

export interface ServiceOptions {
  folder: string
  control: string | null
  workers: number | null
  /** Arguments of `serve` besides the folder and the number of workers. @default any free port */
  words?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export interface ServiceDeath {
  how: string
  launchedAt: number
  hasStarted: boolean
}

export class ServiceProcess {
  readonly #options: ServiceOptions
  #child: ChildProcess | null = null
  #address: string | null = null
  #errors = ''
  #isExpected = false
  onDeath: (death: ServiceDeath) => void = () => undefined

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  get address(): string | null {
    return this.#address
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  get children(): ChildProcesses {
    return this.pid === null ? { workers: [], hosts: [] } : childrenOf(this.pid)
  }

  launch(): void {
    if (this.#child !== null) return
    const { folder, control, workers, words: own = ['--port', '0'], env } = this.#options
    const words = ['serve', '--folder', folder, ...own, '--json']
    if (workers !== null) words.push('--workers', String(workers))
    const child = spawn(process.execPath, [join(root, 'cli/espalier.ts'), ...words], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...env,
        ...(control !== null && disturbedBy(control)),
      },
    })
    const launchedAt = performance.now()
    this.#child = child
    this.#isExpected = false
    const endWithUs = () => void child.kill('SIGKILL')
    process.once('exit', endWithUs)
    child.once('exit', () => process.off('exit', endWithUs))
    child.stderr?.on('data', (text) => {
      this.#errors = `${this.#errors}${text}`.slice(-keptErrors)
    })
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (line) => {
      const { address } = JSON.parse(line) as { address?: string }
      // A service that cannot start prints its error instead.
      if (address === undefined) this.#errors = `${this.#errors}\n${line}`
      else if (this.#child === child) this.#address = address
    })
    child.once('exit', (code, by) => {
      if (this.#child !== child) return
      const hasStarted = this.#address !== null
      this.#child = null
      this.#address = null
      if (this.#isExpected) return
      this.onDeath({ how: `${by ?? `code ${code}`}: ${lastLines(this.#errors)}`, launchedAt, hasStarted })
    })
  }

  async ready(): Promise<boolean> {
    const child = this.#child
    const until = performance.now() + longestStartMilliseconds
    while (child !== null && this.#child === child && performance.now() < until) {
      if (this.#address !== null) return true
      await delay(10)
    }
    return false
  }

  async end(name: NodeJS.Signals, patience = longestStartMilliseconds): Promise<boolean> {
    const child = this.#child
    if (child === null) return true
    this.expectEnd()
    const gone = once(child, 'exit').then(() => true)
    child.kill(name)
    return Promise.race([gone, delay(patience, false)])
  }

  expectEnd(): void {
    this.#isExpected = true
    this.#address = null
  }
}

export function disturbedBy(control: string): Record<string, string> {
  return { [controlVariable]: control, NODE_OPTIONS: `--import=${preload}` }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ').slice(-600)
}
