import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Lineage, writeLineage } from './lineage.ts'
import type { LoopDetection } from './loop-detection.ts'

export interface Invocation {
  name: string
  event: unknown
  requestId: string
  milliseconds: number
  /** The trace header that Lambda gives it. */
  trace: string
}

export type InvocationEnd = { result: unknown } | { error: string }

/** What a process says of an invocation: that its function is called now, with all that it imports, and how it ended. */
export type InvocationNews = 'begun' | InvocationEnd

/** What people wait for: in the stack it has its share of the account's concurrency, which nothing else takes. */
const askedByPeople = new Set(['api', 'authorizer'])
/** Processes that are kept for these. */
const keptForPeople = 2

interface Place {
  child: ChildProcess
  isForPeople: boolean
  invoked: string | null
}

/** Runs the functions of a stage as Lambda does: in processes of their own, each for one invocation at a time. */
export class LambdaPool {
  readonly #environment: NodeJS.ProcessEnv
  readonly #milliseconds: number
  readonly #places: Place[] = []
  readonly #waiting: (() => void)[] = []
  /** How many more invocations of a function are to be killed, and after how many milliseconds. */
  readonly #doomed = new Map<string, { times: number; after: number }>()
  readonly #most: number
  readonly #loops: LoopDetection
  readonly #onEnd: (name: string, milliseconds: number) => void
  /** How many processes were killed in the middle of an invocation. */
  killed = 0
  /** What the functions printed to stderr. */
  output = ''

  /**
   * @param options.most how many processes there are at most, beside those that are kept for the API
   * @param options.milliseconds that an invocation is said to have
   * @param options.loops told of each invocation with the chain that it is of
   * @param options.onEnd called after each invocation, with how long it took
   */
  constructor(options: {
    environment: NodeJS.ProcessEnv
    most: number
    milliseconds: number
    loops: LoopDetection
    onEnd?: (name: string, milliseconds: number) => void
  }) {
    this.#environment = options.environment
    this.#most = options.most
    this.#loops = options.loops
    this.#onEnd = options.onEnd ?? (() => undefined)
    this.#milliseconds = options.milliseconds
  }

  /**
   * @param before the chains that lead to this invocation; without them it begins one
   * @throws when the function throws, and when its process dies
   */
  async invoke(name: string, event: unknown, before: readonly Lineage[] = []): Promise<unknown> {
    const place = await this.#take(name)
    const started = performance.now()
    try {
      return await this.#run(place, {
        name,
        event,
        requestId: randomUUID(),
        milliseconds: this.#milliseconds,
        trace: writeLineage(this.#loops.invoked(name, before)),
      })
    } finally {
      place.invoked = null
      this.#onEnd(name, performance.now() - started)
      // Those who wait look again: which of them the place is for depends on what they invoke.
      for (const look of this.#waiting.splice(0)) look()
    }
  }

  /** Kills a process that runs the function now. @returns whether there was one */
  kill(name: string): boolean {
    const place = this.#places.find(({ invoked }) => invoked === name)
    return place !== undefined && this.#kill(place)
  }

  /** Has so many of the next invocations of a function killed, each so many milliseconds after the function was called. */
  killNext(name: string, times: number, after: number): void {
    this.#doomed.set(name, { times, after })
  }

  #kill({ child }: Place): boolean {
    const isKilled = child.kill('SIGKILL')
    if (isKilled) this.killed += 1
    return isKilled
  }

  close(): void {
    for (const { child } of this.#places) child.kill('SIGKILL')
  }

  /** A place that runs nothing, marked as taken before anybody else can look. */
  async #take(name: string): Promise<Place> {
    for (;;) {
      const isForPeople = askedByPeople.has(name)
      const places = this.#places.filter(
        ({ child, ...one }) => child.connected && one.isForPeople === isForPeople,
      )
      const most = isForPeople ? keptForPeople : this.#most
      const free = places.find(({ invoked }) => invoked === null)
      const place = free ?? (places.length < most ? this.#start(isForPeople) : undefined)
      if (place) {
        place.invoked = name
        return place
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #start(isForPeople: boolean): Place {
    const child = fork(join(import.meta.dirname, 'lambda-process.ts'), {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.stderr?.on('data', (text) => {
      this.output += text
    })
    const place = { child, isForPeople, invoked: null }
    this.#places.push(place)
    return place
  }

  #run(place: Place, invocation: Invocation): Promise<unknown> {
    const { child } = place
    const { name } = invocation
    return new Promise((resolve, reject) => {
      let isOver = false
      const died = () => {
        isOver = true
        reject(new Error(`The process of ${name} died.`))
      }
      const heard = (news: InvocationNews) => {
        if (news === 'begun') {
          this.#doom(name, () => !isOver && this.#kill(place))
          return
        }
        isOver = true
        child.off('exit', died).off('message', heard)
        if ('error' in news) reject(new Error(`${name}: ${news.error}`))
        else resolve(news.result)
      }
      child.once('exit', died).on('message', heard)
      child.send(invocation)
    })
  }

  #doom(name: string, kill: () => boolean): void {
    const doomed = this.#doomed.get(name)
    if (doomed === undefined || doomed.times === 0) return
    setTimeout(() => {
      if (doomed.times > 0 && kill()) doomed.times -= 1
    }, doomed.after)
  }
}
