import { machineSchema } from '../../contracts/machine.ts'
import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import type { OutgoingMessage, Queue, QueueName, World } from '../../world/ports.ts'
import { episodeMessageSchema } from '../episodes/episode-message.ts'
import { ledgerKeys } from '../keys.ts'
import { Placement, type PlacementRules } from '../placement/placement.ts'
import { RunDefinitions } from '../runs/run-definition.ts'
import { RunStore } from '../runs/run-store.ts'
import { refusedTo } from './change-checks.ts'
import { guardLedger } from './guarded-ledger.ts'
import { guardObjects } from './guarded-objects.ts'
import type { JoinedPorts, JoinedWorker } from './join-gateway.ts'
import { WorkerBook } from './worker-book.ts'

export interface JoinableWorld extends World {
  readonly ledger: RetriedLedger
}

export interface JoinedPortsOptions {
  world: JoinableWorld
  placement: PlacementRules
  tend(run: string): Promise<void>
}

const mostWorkers = 1000

export function openJoinedPorts({
  world,
  placement: rules,
  tend,
}: JoinedPortsOptions): (worker: JoinedWorker) => JoinedPorts {
  const store = new RunStore(world)
  const definitions = new RunDefinitions(world.objects)
  const opened = new Map<string, JoinedPorts>()
  const placement = new Placement(world, rules)

  // A worker that has announced nothing gets nothing.
  async function playableRuns({ name, tenant }: JoinedWorker): Promise<readonly string[]> {
    const row = await world.ledger.get(ledgerKeys.worker(name))
    const { data: machine } = machineSchema.safeParse(row?.machine)
    if (machine === undefined || row?.tenant !== tenant) return []
    return (await placement.playable(machine, tenant)) ?? []
  }

  function open(worker: JoinedWorker): JoinedPorts {
    const book = new WorkerBook(world, store, worker)
    const guard = { world, definitions, book, worker }
    return {
      objects: guardObjects(guard),
      ledger: guardLedger(guard),
      queues: guardQueues({ queues: world.queues, book, playableRuns: () => playableRuns(worker) }),
      async tend(run) {
        await book.checkTenant(run)
        if (!(await book.hasRun(run))) throw refusedTo(`count the ends of ${run}`)
        await tend(run)
      },
    }
  }

  return (worker) => {
    const ports = opened.get(worker.name) ?? open(worker)
    opened.delete(worker.name)
    opened.set(worker.name, ports)
    if (opened.size > mostWorkers) opened.delete(opened.keys().next().value ?? '')
    return ports
  }
}

interface QueueGuard {
  queues: Record<QueueName, Queue>
  book: WorkerBook
  playableRuns(): Promise<readonly string[]>
}

function guardQueues(guard: QueueGuard): JoinedPorts['queues'] {
  return {
    episodes: guardQueue(guard, 'episodes'),
    alone: guardQueue(guard, 'alone'),
    datasets: closedQueue('datasets'),
    jobs: closedQueue('jobs'),
  }
}

function guardQueue({ queues, book, playableRuns }: QueueGuard, name: QueueName): Queue {
  const queue = queues[name]
  return {
    async receive(options) {
      const messages = await queue.receive({ ...options, groups: playableRuns })
      await book.note(name, messages)
      return messages
    },
    async send(messages) {
      for (const message of messages) await checkMessage(book, message)
      await queue.send(messages)
    },
    async delete(receipt) {
      if (!(await book.hasTaken(name, receipt))) return
      await queue.delete(receipt)
      await book.forget(name, receipt)
    },
    async extend(receipt, visibility) {
      if (!(await book.hasTaken(name, receipt))) return
      await queue.extend(receipt, visibility)
      if (visibility === 0) await book.forget(name, receipt)
    },
    dead_letters: closedQueue(`the dead letters of ${name}`),
  }
}

async function checkMessage(book: WorkerBook, { body, group }: OutgoingMessage): Promise<void> {
  const { data } = episodeMessageSchema.strict().safeParse(body)
  const isOwn = data !== undefined && data.run === group && (await book.hasEpisode(data.run, data.episode))
  if (!isOwn) throw refusedTo('send this message')
}

function closedQueue(name: string): Queue {
  const refuse = async () => {
    throw refusedTo(`use the queue "${name}"`)
  }
  const closed = { receive: refuse, delete: refuse }
  return { ...closed, send: refuse, extend: refuse, dead_letters: closed }
}
