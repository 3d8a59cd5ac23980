import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

export interface Invocation {
  name: string
  event: unknown
  requestId: string
  milliseconds: number
}

export type InvocationEnd = { result: unknown } | { error: string }

interface Place {
  child: ChildProcess
  invoked: string | null
}

/** Runs the functions of a stage as Lambda does: in processes of their own, each for one invocation at a time. */
export class LambdaPool {
  readonly #environment: NodeJS.ProcessEnv
  readonly #milliseconds: number
  readonly #places: Place[] = []
  readonly #waiting: (() => void)[] = []
  readonly #most: number
  /** How many processes were killed in the middle of an invocation. */
  killed = 0
  /** What the functions printed to stderr. */
  output = ''

  constructor(options: { environment: NodeJS.ProcessEnv; most: number; milliseconds: number }) {
    this.#environment = options.environment
    this.#most = options.most
    this.#milliseconds = options.milliseconds
  }

  /** @throws when the function throws, and when its process dies */
  async invoke(name: string, event: unknown): Promise<unknown> {
    const place = await this.#take(name)
    try {
      return await this.#run(place, {
        name,
        event,
        requestId: randomUUID(),
        milliseconds: this.#milliseconds,
      })
    } finally {
      place.invoked = null
      this.#waiting.shift()?.()
    }
  }

  /** Kills a process that runs the function now. @returns whether there was one */
  kill(name: string): boolean {
    const place = this.#places.find(({ invoked }) => invoked === name)
    const isKilled = place?.child.kill('SIGKILL') ?? false
    if (isKilled) this.killed += 1
    return isKilled
  }

  close(): void {
    for (const { child } of this.#places) child.kill('SIGKILL')
  }

  /** A place that runs nothing, marked as taken before anybody else can look. */
  async #take(name: string): Promise<Place> {
    for (;;) {
      const free = this.#places.find(({ child, invoked }) => invoked === null && child.connected)
      const alive = this.#places.filter(({ child }) => child.connected)
      const place = free ?? (alive.length < this.#most ? this.#start() : undefined)
      if (place) {
        place.invoked = name
        return place
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #start(): Place {
    const child = fork(join(import.meta.dirname, 'lambda-process.ts'), {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.stderr?.on('data', (text) => {
      this.output += text
    })
    const place = { child, invoked: null }
    this.#places.push(place)
    return place
  }

  #run({ child }: Place, invocation: Invocation): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const died = () => reject(new Error(`The process of ${invocation.name} died.`))
      child.once('exit', died)
      child.once('message', (end: InvocationEnd) => {
        child.off('exit', died)
        if ('error' in end) reject(new Error(`${invocation.name}: ${end.error}`))
        else resolve(end.result)
      })
      child.send(invocation)
    })
  }
}
