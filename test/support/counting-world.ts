import { nothing, type Operations } from '../../bench/cost/operations.ts'
import { partsOf, spreadRun, storedPartition } from '../../shared/core/world/aws/spread-partitions.ts'
import type { Ledger, LedgerChange, LedgerKey, Objects, Queue, World } from '../../shared/core/world/ports.ts'
import { storedBytes } from './stored-bytes.ts'

/** A world that counts what it is asked for as AWS would bill the same calls of our drivers. */
export interface CountingWorld {
  world: World
  /** So far. */
  counted(): Operations
  /** The same by what it was for, such as `put segment` or `change run`: how many requests or units. */
  purposes(): Map<string, number>
}

const writeUnit = 1024
const readUnit = 4096
/** Of messages that one request to SQS carries. */
const queueBatch = 10

/**
 * Counts over a world that really does what it is asked, so that nothing is assumed about the engine. What the drivers of
 * `shared/core/world/aws` make of each call is mirrored here: an `add` or a `delete` is a transaction of one item, an `add`
 * then reads it again, and every read is consistent. Objects of more than 16 MiB, which go in parts, do not occur.
 */
export function countingWorld(world: World): CountingWorld {
  const total = { ...nothing }
  const purposes = new Map<string, number>()
  const count = (unit: keyof Operations, amount: number, purpose: string) => {
    total[unit] += amount
    purposes.set(purpose, (purposes.get(purpose) ?? 0) + amount)
  }
  const { episodes, alone, datasets, jobs } = world.queues
  const queues = {
    episodes: countedQueue(episodes, count),
    alone: countedQueue(alone, count),
    datasets: countedQueue(datasets, count),
    jobs: countedQueue(jobs, count),
  }
  return {
    world: {
      name: world.name,
      clock: world.clock,
      hosts: world.hosts,
      objects: countedObjects(world.objects, count),
      ledger: countedLedger(world.ledger, count),
      queues,
      close: () => world.close(),
    },
    counted: () => ({ ...total }),
    purposes: () => new Map(purposes),
  }
}

type Count = (unit: keyof Operations, amount: number, purpose: string) => void

function countedObjects(objects: Objects, count: Count): Objects {
  return {
    async put(key, body, options) {
      count('s3_writes', 1, `put ${kindOfObject(key)}`)
      const before = await objects.head(key)
      const answer = await objects.put(key, body, options)
      if (answer.written)
        count('s3_bytes', body.byteLength - (before?.size ?? 0), `bytes ${kindOfObject(key)}`)
      return answer
    },
    get(key, range) {
      count('s3_reads', 1, `get ${kindOfObject(key)}`)
      return objects.get(key, range)
    },
    head(key) {
      count('s3_reads', 1, `head ${kindOfObject(key)}`)
      return objects.head(key)
    },
    async list(prefix, options) {
      const answer = await objects.list(prefix, options)
      count('s3_writes', Math.max(1, Math.ceil(answer.objects.length / 1000)), 'list')
      return answer
    },
    delete: (key) => objects.delete(key),
    sign: (key, options) => objects.sign(key, options),
  }
}

function kindOfObject(key: string): string {
  if (/\/journal\/\d+\.jsonl\.gz$/.test(key)) return 'segment'
  if (key.includes('/journal/')) return 'join'
  if (key.includes('/logs/')) return 'log'
  return (
    key
      .split('/')
      .at(-1)
      ?.replace(/^\d+-.*/, 'edition') ?? key
  )
}

function countedLedger(ledger: Ledger, count: Count): Ledger {
  /** Makes changes and counts them: the larger of each item before and after is paid for, also when nothing came of it. */
  async function write<Answer>(
    changes: LedgerChange[],
    factor: number,
    change: () => Promise<Answer>,
  ): Promise<Answer> {
    const sizes = () => Promise.all(changes.map(async ({ key }) => storedBytes(key, await ledger.get(key))))
    const before = await sizes()
    const answer = await change()
    const after = await sizes()
    for (const [index, { key }] of changes.entries()) {
      const [was = 0, is = 0] = [before[index], after[index]]
      count('ledger_writes', factor * units(Math.max(was, is), writeUnit), `change ${kindOfItem(key)}`)
      count('ledger_bytes', is - was, `bytes ${kindOfItem(key)}`)
    }
    return answer
  }
  function read(bytes: number, key: LedgerKey): void {
    count('ledger_reads', units(bytes, readUnit), `read ${kindOfItem(key)}`)
  }

  return {
    async get(key) {
      const item = await ledger.get(key)
      read(storedBytes(key, item), key)
      return item
    },
    async update(change) {
      const isTransaction = change.delete === true || change.add !== undefined
      const answer = await write([change], isTransaction ? 2 : 1, () => ledger.update(change))
      if (answer.ok && change.add !== undefined) read(storedBytes(change.key, answer.item), change.key)
      return answer
    },
    async transact(changes) {
      const [only] = changes
      const isUpdate = changes.length === 1 && only?.delete !== true && only?.add === undefined
      return write(changes, isUpdate ? 1 : 2, () => ledger.transact(changes))
    },
    async query(partition, options) {
      const page = await ledger.query(partition, options)
      // One that is spread is read from each of its parts.
      const parts = new Map(
        (spreadRun(partition) === null ? [partition] : partsOf(partition)).map((part) => [part, 0]),
      )
      for (const { sort, item } of page.items) {
        const part = storedPartition({ partition, sort })
        parts.set(part, (parts.get(part) ?? 0) + storedBytes({ partition, sort }, item))
      }
      for (const bytes of parts.values()) read(bytes, { partition, sort: '' })
      return page
    },
  }
}

function kindOfItem({ partition, sort }: LedgerKey): string {
  const [first = '', , ...rest] = partition.split('/')
  return rest[0] ?? (first === 'run' ? 'run' : `${first}${sort === 'run' ? ' run' : ''}`)
}

function countedQueue(queue: Queue, count: Count): Queue {
  return {
    send(messages) {
      count('queue_requests', units(messages.length, queueBatch), 'send')
      return queue.send(messages)
    },
    async receive(options) {
      const messages = await queue.receive(options)
      count('queue_requests', units(messages.length, queueBatch), 'receive')
      return messages
    },
    delete(receipt) {
      count('queue_requests', 1, 'delete message')
      return queue.delete(receipt)
    },
    extend(receipt, visibility) {
      count('queue_requests', 1, 'extend')
      return queue.extend(receipt, visibility)
    },
    dead_letters: queue.dead_letters,
  }
}

/** Started units of something; one at least. */
function units(amount: number, unit: number): number {
  return Math.max(1, Math.ceil(amount / unit))
}
