import { totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds between looks. */
const lookEvery = 1000
/** Milliseconds by which the event loop may be late on average, and still more is taken. */
const mostDelay = 200
/** Of the memory that there is: what may be used and still more is taken, and what may be used at all. */
const shares = { take: 0.75, leave: 0.9 }

/** How busy a process was in the last second. */
export interface Load {
  /** Milliseconds by which its event loop was late, on average. */
  delay: number
  /** Resident bytes. */
  memory: number
}

/** Measures how busy this process is, and says whether it may take more. */
export class LoadGauge {
  readonly #memory: number
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay>
  readonly #timer: NodeJS.Timeout
  #load: Load = { delay: 0, memory: 0 }

  /**
   * @param memory - bytes that there are for it
   * @param onFull - called at each look that finds more used than may be
   */
  constructor(memory: number, onFull: (load: Load) => void) {
    this.#memory = memory
    this.#histogram = monitorEventLoopDelay({ resolution: 20 })
    this.#histogram.enable()
    this.#timer = setInterval(() => {
      this.#load = { delay: this.#delay(), memory: process.memoryUsage.rss() }
      if (this.#load.memory > shares.leave * memory) onFull(this.#load)
    }, lookEvery)
    this.#timer.unref()
  }

  get load(): Load {
    return this.#load
  }

  /** Whether one more episode would find time and memory. */
  get isLight(): boolean {
    const { delay, memory } = this.#load
    return delay <= mostDelay && memory <= shares.take * this.#memory
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  /** The histogram holds how far apart its looks were; in a second that had none the loop stood still. */
  #delay(): number {
    const mean = this.#histogram.mean / 1e6
    this.#histogram.reset()
    return Number.isFinite(mean) ? Math.max(0, mean - 20) : lookEvery
  }
}

/** Bytes of memory that this process may have: what its container allows, where that is less than the machine has. */
export function memoryHere(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
