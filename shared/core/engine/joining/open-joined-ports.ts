import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { QueueName, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { RunDefinitions } from '../runs/run-definition.ts'
import type { RunPurpose } from '../runs/run-planner.ts'
import { RunStore } from '../runs/run-store.ts'
import { refusedTo } from './change-checks.ts'
import { guardLedger } from './guarded-ledger.ts'
import { guardObjects } from './guarded-objects.ts'
import { type GroupedQueue, guardQueues } from './guarded-queues.ts'
import type { JoinedPorts, JoinedWorker } from './join-gateway.ts'
import { WorkerBook } from './worker-book.ts'

export interface JoinableWorld extends World {
  readonly ledger: RetriedLedger
  readonly queues: Record<QueueName, GroupedQueue>
}

export interface JoinedPortsOptions {
  world: JoinableWorld
  isPlayable(run: Pick<KnownRun, 'environment'>): Promise<boolean>
  tend(run: string): Promise<void>
}

interface KnownRun {
  tenant: string
  purpose: RunPurpose
  environment: string
}

const mostWorkers = 1000
const mostRuns = 10_000

export function openJoinedPorts({
  world,
  isPlayable,
  tend,
}: JoinedPortsOptions): (worker: JoinedWorker) => JoinedPorts {
  const store = new RunStore(world)
  const definitions = new RunDefinitions(world.objects)
  const opened = new Map<string, JoinedPorts>()
  const known = new Map<string, Promise<KnownRun | null>>()

  async function read(run: string): Promise<KnownRun | null> {
    const row = await store.find(run)
    if (row === null) return null
    const { request } = await definitions.get(row)
    return { tenant: row.tenant, purpose: row.purpose, environment: request.environment }
  }

  function factsOf(run: string): Promise<KnownRun | null> {
    const facts = known.get(run) ?? read(run)
    known.set(run, facts)
    facts.catch(() => known.delete(run))
    if (known.size > mostRuns) known.delete(known.keys().next().value ?? '')
    return facts
  }

  async function suits(run: string, tenant: string): Promise<boolean> {
    const facts = await factsOf(run)
    return facts?.tenant === tenant && facts.purpose === 'play' && isPlayable(facts)
  }

  async function playableRuns(tenant: string): Promise<string[]> {
    const runs: string[] = []
    for await (const page of pagesOf(world.ledger, ledgerKeys.openRun('').partition))
      for (const { sort } of page) runs.push(sort)
    const fits = await Promise.all(runs.map((run) => suits(run, tenant)))
    return runs.filter((_, at) => fits[at])
  }

  function open(worker: JoinedWorker): JoinedPorts {
    const book = new WorkerBook(world, store, worker)
    const guard = { world, definitions, book, worker }
    return {
      objects: guardObjects(guard),
      ledger: guardLedger(guard),
      queues: guardQueues({ queues: world.queues, book, playableRuns: () => playableRuns(worker.tenant) }),
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
