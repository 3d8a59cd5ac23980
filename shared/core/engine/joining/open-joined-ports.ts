import { machineSchema } from '../../contracts/machine.ts'
import type { RetriedLedger } from '../../world/joined/retried-ledger.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { Placement, type PlacementRules } from '../placement/placement.ts'
import { RunDefinitions } from '../runs/run-definition.ts'
import { RunStore } from '../runs/run-store.ts'
import { refusedTo } from './change-checks.ts'
import { guardLedger } from './guarded-ledger.ts'
import { guardObjects } from './guarded-objects.ts'
import { guardQueues } from './guarded-queues.ts'
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
