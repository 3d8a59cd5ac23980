import type { Random } from '../../shared/core/random/random.ts'
import type { Queue, World } from '../../shared/core/world/ports.ts'

/** What befalls a process's calls of its world. */
export interface Disturbances {
  random: Random
  /** After how many writes the process dies. */
  diesAfter: number
  /** The share of writes that fail, half of them after they were made. */
  failing: number
  /** Called in the moment of its death. */
  onDeath: () => void
}

/** Storage that failed for a moment, as the drivers report it. */
export class DisturbedStorageError extends Error {
  override readonly name = 'DisturbedStorageError'
  readonly transient = true
}

/**
 * A world as one process sees it: from its death on, which comes before or after one of its writes, no call of it ever gets
 * an answer, and none does anything.
 */
export function disturbedWorld(world: World, { random, diesAfter, failing, onDeath }: Disturbances) {
  const death = new AbortController()
  const never = () => new Promise<never>(() => undefined)
  let writes = 0

  function die(): void {
    if (death.signal.aborted) return
    death.abort()
    onDeath()
  }

  async function read<Result>(action: () => Promise<Result>): Promise<Result> {
    if (death.signal.aborted) return never()
    const result = await action()
    return death.signal.aborted ? never() : result
  }

  async function write<Result>(action: () => Promise<Result>): Promise<Result> {
    if (death.signal.aborted) return never()
    writes += 1
    const isLast = writes === diesAfter
    const isBefore = random() < 0.5
    if (isLast && isBefore) {
      die()
      return never()
    }
    const isFailing = random() < failing
    if (isFailing && isBefore) throw new DisturbedStorageError('The storage failed, and nothing was written.')
    const result = await action()
    if (isLast) die()
    if (death.signal.aborted) return never()
    if (isFailing) throw new DisturbedStorageError('The storage failed after it had written.')
    return result
  }

  const disturbedQueue = (queue: Queue): Queue => ({
    // What is sent for later comes at once: no test waits for it.
    send: (messages) => write(() => queue.send(messages.map(({ delay: _, ...message }) => message))),
    receive: ({ signal, ...options }) =>
      read(() =>
        queue.receive({ ...options, signal: AbortSignal.any([death.signal, ...(signal ? [signal] : [])]) }),
      ),
    delete: (receipt) => write(() => queue.delete(receipt)),
    extend: (receipt) => write(() => queue.extend(receipt, 0)),
    dead_letters: {
      receive: (options) => read(() => queue.dead_letters.receive(options)),
      delete: (receipt) => write(() => queue.dead_letters.delete(receipt)),
    },
  })

  const { clock, ledger, objects, queues } = world
  const disturbed: World = {
    name: world.name,
    hosts: world.hosts,
    objects: {
      put: (...given) => write(() => objects.put(...given)),
      get: (...given) => read(() => objects.get(...given)),
      head: (...given) => read(() => objects.head(...given)),
      list: (...given) => read(() => objects.list(...given)),
      delete: (...given) => write(() => objects.delete(...given)),
      sign: (...given) => objects.sign(...given),
    },
    ledger: {
      get: (...given) => read(() => ledger.get(...given)),
      query: (...given) => read(() => ledger.query(...given)),
      update: (...given) => write(() => ledger.update(...given)),
      transact: (...given) => write(() => ledger.transact(...given)),
    },
    queues: {
      episodes: disturbedQueue(queues.episodes),
      alone: disturbedQueue(queues.alone),
      datasets: disturbedQueue(queues.datasets),
      jobs: disturbedQueue(queues.jobs),
    },
    clock: {
      now: () => clock.now(),
      async sleep(milliseconds, signal) {
        const signals = [death.signal, ...(signal ? [signal] : [])]
        try {
          // Waits are as long as they are in earnest, and the disturbed test has no time for that.
          await clock.sleep(Math.min(milliseconds, 20), AbortSignal.any(signals))
        } catch (error) {
          if (death.signal.aborted) return never()
          throw error
        }
      },
    },
    close: async () => undefined,
  }
  return { world: disturbed, die, isDead: () => death.signal.aborted }
}
