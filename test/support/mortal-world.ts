import type { Ledger, Objects, Queue, World } from '../../shared/core/world/ports.ts'

/** A world as a process sees it that is killed. */
export interface MortalWorld {
  world: World
  /** Resolves once it has died and nothing of it is under way any longer. */
  readonly dead: Promise<void>
}

/**
 * The same world for a process that is killed at its n-th write: that write is made or not, its answer never comes, and nothing
 * that the process asks for afterwards is done or answered.
 *
 * @param isWritten - whether the write at which it dies is made
 */
export function mortalWorld(world: World, writes: number, isWritten: boolean): MortalWorld {
  const underWay = new Set<Promise<unknown>>()
  let left = writes
  let die: () => void = () => undefined
  const dead = new Promise<void>((resolve) => {
    die = () => Promise.allSettled(underWay).then(() => resolve())
  })
  const never = new Promise<never>(() => undefined)

  async function answer<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    const acting = action()
    underWay.add(acting)
    try {
      return await acting
    } finally {
      underWay.delete(acting)
    }
  }
  const read = <Answer>(action: () => Promise<Answer>) => (left <= 0 ? never : answer(action).then(alive))
  function alive<Answer>(value: Answer): Answer | Promise<never> {
    return left <= 0 ? never : value
  }
  async function write<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    if (left <= 0) return never
    left -= 1
    if (left > 0) return answer(action).then(alive)
    if (isWritten) await answer(action).catch(() => undefined)
    die()
    return never
  }

  const { ledger, objects } = world
  const mortalLedger: Ledger = {
    get: (key) => read(() => ledger.get(key)),
    query: (partition, options) => read(() => ledger.query(partition, options)),
    update: (change) => write(() => ledger.update(change)),
    transact: (changes) => write(() => ledger.transact(changes)),
  }
  const mortalObjects: Objects = {
    put: (key, body, options) => write(() => objects.put(key, body, options)),
    get: (key, range) => read(() => objects.get(key, range)),
    head: (key) => read(() => objects.head(key)),
    list: (prefix, options) => read(() => objects.list(prefix, options)),
    delete: (key) => write(() => objects.delete(key)),
    sign: (key, options) => read(() => objects.sign(key, options)),
  }
  const mortalQueue = (queue: Queue): Queue => ({
    send: (messages) => write(() => queue.send(messages)),
    receive: (options) => read(() => queue.receive(options)),
    delete: (receipt) => write(() => queue.delete(receipt)),
    extend: (receipt, visibility) => write(() => queue.extend(receipt, visibility)),
    dead_letters: queue.dead_letters,
  })
  const { episodes, alone } = world.queues
  return {
    world: {
      ...world,
      ledger: mortalLedger,
      objects: mortalObjects,
      queues: { ...world.queues, episodes: mortalQueue(episodes), alone: mortalQueue(alone) },
    },
    dead,
  }
}
