import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const lookEvery = 1000
const mostMeanDelayMilliseconds = 200
/** Shares of the available memory: `take` is the limit for taking more, `leave` the limit at all. */
const shares = { take: 0.75, leave: 0.9 }

export interface Load {
  delay: number
  memory: number
}

export class LoadGauge {
  readonly #memory: number
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay>
  readonly #timer: NodeJS.Timeout
  #load: Load = { delay: 0, memory: 0 }

  /**
   * @param memory - bytes available to the process and its child
   * @param onFull - called at each measurement over the memory limit
   * @param childHere - process id of the running child
   */
  constructor(
    memory: number,
    onFull: (load: Load) => void,
    childHere: () => number | undefined = () => undefined,
  ) {
    this.#memory = memory
    this.#histogram = monitorEventLoopDelay({ resolution: 20 })
    this.#histogram.enable()
    this.#timer = setInterval(() => {
      this.#load = { delay: this.#delay(), memory: process.memoryUsage.rss() + residentBytes(childHere()) }
      if (this.#load.memory > shares.leave * memory) onFull(this.#load)
    }, lookEvery)
    this.#timer.unref()
  }

  get load(): Load {
    return this.#load
  }

  get isLight(): boolean {
    const { delay, memory } = this.#load
    return delay <= mostMeanDelayMilliseconds && memory <= shares.take * this.#memory
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  /**
   * The histogram holds the intervals between its samples. A second without samples means that the loop was blocked.
   */
  #delay(): number {
    const mean = this.#histogram.mean / 1e6
    this.#histogram.reset()
    return Number.isFinite(mean) ? Math.max(0, mean - 20) : lookEvery
  }
}

/** Resident bytes of a child process: with this process it fills the container. 0 if there is none, or no `/proc`. */
function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(pages) * 4096
  } catch {
    return 0
  }
}
