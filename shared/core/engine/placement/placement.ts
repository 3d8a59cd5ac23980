import { machineLoadSchema, machineSchema, type WorkerMachine } from '../../contracts/machine.ts'
import type { RunRequest } from '../../contracts/run.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { RunDefinitions } from '../runs/run-definition.ts'
import type { RunPurpose } from '../runs/run-planner.ts'
import { RunStore } from '../runs/run-store.ts'
import { workerRows } from '../workers.ts'

export interface RunNeeds {
  labels: readonly string[]
  /** True for hosts, servers of models and callers' processes: they answer on the service's machine alone. */
  service: boolean
  /** Endpoints of files, and those of the ledger, which machines without it lack. */
  endpoints: readonly { name: string; isStored: boolean }[]
  environments: readonly string[]
  methods: readonly string[]
}

export interface PlacementRules {
  needsOf(request: RunRequest): Promise<RunNeeds>
  labelsInUse(): Promise<readonly string[]>
}

interface PlacedRun {
  tenant: string
  purpose: RunPurpose
  request: RunRequest
}

interface KnownRun {
  placed: Promise<PlacedRun | null>
  readAt: number
}

const mostRuns = 10_000
/** Milliseconds after which a run is read again: a rollout may have another policy since. */
const knownFor = 2000

export function suits(machine: WorkerMachine, needs: RunNeeds): boolean {
  const { endpoints, environments, kind, methods } = machine
  if (kind === 'host' || !hasLabels(machine, needs.labels)) return false
  if (kind === 'service') return true
  return (
    !needs.service &&
    needs.endpoints.every(
      ({ name, isStored }) => (isStored && kind === 'shared') || endpoints.includes(name),
    ) &&
    needs.environments.every((name) => environments.includes(name)) &&
    needs.methods.every((name) => methods.includes(name))
  )
}

export function hasLabels({ labels }: Pick<WorkerMachine, 'labels'>, needed: readonly string[]): boolean {
  return needed.every((label) => labels.includes(label))
}

export class Placement {
  readonly #world: World
  readonly #store: RunStore
  readonly #definitions: RunDefinitions
  readonly #rules: PlacementRules
  readonly #known = new Map<string, KnownRun>()

  constructor(world: World, rules: PlacementRules) {
    this.#world = world
    this.#store = new RunStore(world)
    this.#definitions = new RunDefinitions(world.objects)
    this.#rules = rules
  }

  noteWaits(): Promise<void> {
    const { clock, ledger } = this.#world
    return noteWaits({
      world: { clock, ledger },
      store: this.#store,
      missingLabels: (run) => this.missingLabels(run),
    })
  }

  /** The open runs that a machine may play; null: all. @param tenant of a joined machine: it plays its runs alone */
  async playable(machine: WorkerMachine, tenant?: string): Promise<readonly string[] | null> {
    if (tenant === undefined && machine.kind === 'service') {
      if (hasLabels(machine, await this.#rules.labelsInUse())) return null
    }
    const runs: string[] = []
    for await (const page of pagesOf(this.#world.ledger, ledgerKeys.openRun('').partition))
      for (const { sort } of page) runs.push(sort)
    const fits = await Promise.all(runs.map((run) => this.#suits(run, machine, tenant)))
    return runs.filter((_, at) => fits[at])
  }

  /** @returns the labels that a run needs, if no worker in its reach has all of them; else null */
  async missingLabels(run: string): Promise<readonly string[] | null> {
    if ((await this.#rules.labelsInUse()).length === 0) return null
    const placed = await this.#find(run)
    if (placed === null) return null
    const needs = await this.#needs(placed)
    if (needs.labels.length === 0) return null
    for await (const { isAlive, machine, load, tenant } of workerRows(this.#world, () => undefined)) {
      if (!isAlive || (tenant !== undefined && tenant !== placed.tenant)) continue
      const { data } = machineSchema.safeParse(machine)
      const isLeaving = machineLoadSchema.safeParse(load).data?.leaving ?? false
      if (data !== undefined && !isLeaving && suits(data, needs)) return null
    }
    return needs.labels
  }

  async #suits(run: string, machine: WorkerMachine, tenant: string | undefined): Promise<boolean> {
    const placed = await this.#find(run).catch(() => null)
    // The service's machine reports a run whose definition is damaged.
    if (placed === null) return tenant === undefined && machine.kind === 'service'
    if (tenant !== undefined && (placed.tenant !== tenant || placed.purpose !== 'play')) return false
    return suits(machine, await this.#needs(placed))
  }

  async #needs({ purpose, request }: PlacedRun): Promise<RunNeeds> {
    const needs = await this.#rules.needsOf(request)
    return purpose === 'annotate' ? { ...needs, labels: [], environments: [], methods: [] } : needs
  }

  #find(run: string): Promise<PlacedRun | null> {
    const now = performance.now()
    const known = this.#known.get(run)
    if (known !== undefined && now - known.readAt < knownFor) return known.placed
    const placed = this.#read(run)
    this.#known.set(run, { placed, readAt: now })
    placed.then(
      (found) => found === null && this.#known.delete(run),
      () => this.#known.delete(run),
    )
    if (this.#known.size > mostRuns) this.#known.delete(this.#known.keys().next().value ?? '')
    return placed
  }

  async #read(run: string): Promise<PlacedRun | null> {
    const row = await this.#store.find(run)
    if (row === null) return null
    const { request } = await this.#definitions.get(row)
    return { tenant: row.tenant, purpose: row.purpose, request }
  }
}

const opening = 'Its episodes wait: no worker with its environment and endpoints has the labels'

interface WaitNeeds {
  world: Pick<World, 'clock' | 'ledger'>
  store: RunStore
  missingLabels(run: string): Promise<readonly string[] | null>
}

async function noteWaits(needs: WaitNeeds): Promise<void> {
  const { ledger } = needs.world
  const failures: unknown[] = []
  const pages = pagesOf(ledger, ledgerKeys.openRun('').partition, undefined, undefined, () => undefined)
  for await (const page of pages)
    for (const { sort } of page)
      await noteWait(needs, sort).catch((error: unknown) => void failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `The waits of ${failures.length} runs could not be noted.`)
}

async function noteWait({ missingLabels, store, world }: WaitNeeds, run: string): Promise<void> {
  const labels = await missingLabels(run)
  const message = labels === null ? null : waitMessage(labels)
  const found = await store.find(run)
  if (found === null || !isOutdated(found.last_problem?.message, message)) return
  const at = new Date(world.clock.now()).toISOString()
  await store.change(run, ({ last_problem, status }) => {
    const isGoing = status === 'queued' || status === 'running'
    if (!isGoing || !isOutdated(last_problem?.message, message)) return null
    if (message === null) return { set: { last_problem: null } }
    return { set: { last_problem: { message, at } }, events: [{ type: 'run.problem', message }] }
  })
}

/** True if the noted problem must change. A run keeps its other problems while a worker can play it. */
function isOutdated(noted: string | undefined, message: string | null): boolean {
  if (message === null) return noted?.startsWith(opening) ?? false
  return noted !== message
}

function waitMessage(labels: readonly string[]): string {
  const list = labels.join(',')
  return `${opening} ${list}. Start a worker, or the service, with --labels ${list}.`
}
