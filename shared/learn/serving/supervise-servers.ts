import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ModelSource, RegisteredModel } from '../../core/contracts/registered-model.ts'
import type { World } from '../../core/world/ports.ts'
import { type AcceleratorHolder, openAccelerators, renewEvery } from '../registry/accelerators.ts'
import type { ModelRegistry, TenantModels } from '../registry/model-registry.ts'
import { acceleratorOf, type ServerDrivers, type StartedServer } from './server-driver.ts'
import { type ServerRow, serverLedger } from './server-ledger.ts'
import { findFreePort, ServerProcess } from './server-process.ts'

export interface SupervisorNeeds {
  world: World
  registry: TenantModels
  drivers: ServerDrivers
  folder: string
  /**
   * Milliseconds without a call after which a server yields its accelerator to a waiting one. Calls record their use
   * every ten seconds. @default 30 s
   */
  givesWayAfter?: number
  onError: (error: unknown, what: string) => void
}

export interface ServerSupervisor {
  stop(): Promise<void>
}

const lookEvery = 250
const afterFault = 1000
const wishMilliseconds = 30_000
const afterFailure = 5000
/**
 * Starts after which a server that keeps crashing has failed, and the milliseconds of uptime that reset the count.
 */
const mostCrashes = 5
const steadyAfter = 120_000
const longestBackOff = 15_000
const acceleratorPoll = 1000
const usualWay = 30_000

interface Life {
  row: ServerRow
  stopping: AbortController
  done: Promise<void>
}

/**
 * Starts servers that calls wait for, and restarts those that crash. Stops servers that are unused, whose settings
 * changed, or that hold an accelerator without use while others wait. Also stops those whose models are no longer
 * served, and removes their files. Only one process of a service supervises.
 */
export function superviseServers(needs: SupervisorNeeds): ServerSupervisor {
  const { drivers, folder, givesWayAfter = usualWay, onError, world } = needs
  const accelerators = openAccelerators(world)
  const { clock } = world
  let written: Set<string> | null = null
  const rows = serverLedger(world.ledger)
  const lives = new Map<string, Life>()
  const closing = new AbortController()

  async function look(): Promise<void> {
    // A model that a service keeps needs no server here.
    const all = (await rows.all()).filter(({ settings }) => settings.driver !== 'remote')
    const wanted = new Set(all.map(({ model }) => model))
    written ??= new Set(await writtenModels(folder))
    for (const model of written) {
      if (wanted.has(model) || lives.has(model)) continue
      await removeServedFiles(folder, model)
      written.delete(model)
    }
    for (const [model, { stopping }] of lives) if (!wanted.has(model)) stopping.abort()
    for (const row of all) {
      const life = lives.get(row.model)
      if (life === undefined) {
        if (isWanted(row, clock.now())) begin(row)
        else if (row.state === 'running' || row.state === 'starting') {
          await rows.change(row.model, { state: 'stopped', address: null, note: null, ended_at: clock.now() })
        }
        continue
      }
      const isOther = !isDeepStrictEqual(row.settings, life.row.settings)
      const unused = unusedFor(row, clock.now())
      if (isOther || unused > row.settings.idle_minutes * 60_000 || (await givesWay(row, unused)))
        life.stopping.abort()
    }
  }

  async function givesWay({ model, settings }: ServerRow, unused: number): Promise<boolean> {
    const device = acceleratorOf(drivers, settings)
    return device !== null && unused > givesWayAfter && accelerators.isWanted(device, `serving/${model}`)
  }

  function begin(row: ServerRow): void {
    const stopping = new AbortController()
    written?.add(row.model)
    const done = live(needs, row, AbortSignal.any([stopping.signal, closing.signal]))
      .catch((error: unknown) => onError(error, `serving ${row.model}`))
      .finally(() => lives.delete(row.model))
    lives.set(row.model, { row, stopping, done })
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await look()
        await clock.sleep(lookEvery, closing.signal)
      } catch (error) {
        if (closing.signal.aborted) return
        onError(error, 'looking after the servers of models')
        await clock.sleep(afterFault, closing.signal).catch(() => undefined)
      }
    }
  }

  const watching = watch()
  return {
    async stop() {
      closing.abort()
      await watching
      await Promise.all([...lives.values()].map(({ done }) => done))
    },
  }
}

/** A call waits for it, and has since it last ended. A failed server rests for a while. */
function isWanted({ ended_at, state, wanted_at }: ServerRow, now: number): boolean {
  if (wanted_at === 0 || now - wanted_at > wishMilliseconds || wanted_at < ended_at) return false
  return state !== 'failed' || now - ended_at >= afterFailure
}

function unusedFor({ started_at, state, used_at, wanted_at }: ServerRow, now: number): number {
  return state === 'running' ? now - Math.max(started_at, used_at, wanted_at) : 0
}

async function live(needs: SupervisorNeeds, row: ServerRow, signal: AbortSignal): Promise<void> {
  const { world } = needs
  const { clock } = world
  const rows = serverLedger(world.ledger)
  const { model } = row
  let crashes = 0
  let { restarts } = row
  const ended = (change: Parameters<typeof rows.change>[1]) =>
    rows.change(model, { address: null, ended_at: clock.now(), ...change })
  for (;;) {
    const life = new ServerLife(needs, row)
    const begun = clock.now()
    try {
      await life.start(signal)
      await rows.change(model, {
        state: 'running',
        note: null,
        log_tail: [],
        address: life.address,
        life: life.id,
        restarts,
        started_at: clock.now(),
      })
      await life.ended(signal)
      if (signal.aborted) return
      crashes = clock.now() - begun > steadyAfter ? 1 : crashes + 1
      restarts++
      if (crashes >= mostCrashes) {
        const note = `It ended ${crashes} times by itself soon after its start.`
        await ended({ state: 'failed', note, log_tail: life.tail, restarts })
        return
      }
      const note = 'it ended by itself and is started again'
      await ended({ state: 'starting', note, log_tail: life.tail, restarts })
    } catch (error) {
      if (signal.aborted) return
      const note = error instanceof Error ? error.message : String(error)
      await ended({ state: 'failed', note, log_tail: life.tail })
      return
    } finally {
      await life.stop()
      if (signal.aborted) await ended({ state: 'stopped', note: null })
    }
    await clock.sleep(Math.min(longestBackOff, 500 * 2 ** (crashes - 1)), signal).catch(() => undefined)
    if (signal.aborted) {
      await ended({ state: 'stopped', note: null })
      return
    }
  }
}

class ServerLife {
  readonly id = randomUUID()
  readonly #needs: SupervisorNeeds
  readonly #row: ServerRow
  #process: StartedServer | null = null
  #accelerator: string | null = null
  #renewal: NodeJS.Timeout | null = null

  constructor(needs: SupervisorNeeds, row: ServerRow) {
    this.#needs = needs
    this.#row = row
  }

  get address(): string | null {
    return this.#process?.address ?? null
  }

  get tail(): string[] {
    return this.#process?.tail ?? []
  }

  async start(signal: AbortSignal): Promise<void> {
    const { drivers, folder, registry } = this.#needs
    const { model: id, settings, tenant } = this.#row
    const driver = drivers.get(settings.driver ?? 'llama-cpp')
    const models = registry.of(tenant)
    const model = await models.get(id)
    const onProgress = (what: string) => void this.#say(what).catch((error) => this.#report(error))
    if ('launch' in driver) {
      const base = await baseOf(models, model)
      const job = { life: this.id, tenant, model, settings, base, onProgress }
      this.#process = await driver.launch(job, signal)
      await this.#process.healthy(settings.start_seconds, signal)
      return
    }
    await this.#say('its files are written')
    const work = join(folder, id)
    const files = join(work, 'files')
    await mkdir(work, { recursive: true })
    await models.materialize(id, files)
    await this.#takeAccelerator(signal)
    const port = await findFreePort()
    const base = () => writeBase(models, model, join(work, 'base'))
    const command = await driver.prepare({ model, settings, files, work, port, base, onProgress, signal })
    signal.throwIfAborted()
    await this.#say('it loads the model')
    const { environment } = driver
    const process = new ServerProcess(command, { port, log: join(work, 'server.log'), environment })
    this.#process = process
    await process.healthy(settings.start_seconds, signal)
  }

  async ended(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([this.#process?.ended, aborted])
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
    if (this.#renewal !== null) clearInterval(this.#renewal)
    if (this.#accelerator !== null)
      await openAccelerators(this.#needs.world).release(this.#accelerator, this.#holder)
  }

  get #holder(): AcceleratorHolder {
    return `serving/${this.#row.model}`
  }

  async #takeAccelerator(signal: AbortSignal): Promise<void> {
    const { drivers, world } = this.#needs
    const device = acceleratorOf(drivers, this.#row.settings)
    if (device === null) return
    const accelerators = openAccelerators(world)
    this.#accelerator = device
    while (!(await accelerators.take(device, this.#holder))) {
      await this.#say(`it waits for ${await accelerators.describe(device)}`)
      await world.clock.sleep(acceleratorPoll, signal)
    }
    const keep = async () => {
      // The lease was not renewed in time, for example because this process was suspended: another holder may already
      // load its model.
      if (!(await accelerators.keep(device, this.#holder))) await this.#process?.stop()
    }
    this.#renewal = setInterval(() => void keep().catch((error) => this.#report(error)), renewEvery)
  }

  async #say(note: string): Promise<void> {
    await serverLedger(this.#needs.world.ledger).change(this.#row.model, { state: 'starting', note })
  }

  #report(error: unknown): void {
    this.#needs.onError(error, `serving ${this.#row.model}`)
  }
}

async function writeBase(
  models: ModelRegistry,
  model: RegisteredModel,
  folder: string,
): Promise<ModelSource> {
  const base = await baseOf(models, model)
  if (base === null) throw new Error(`the base of the adapter ${model.id} is not known`)
  if (!('id' in base)) return base
  await models.materialize(base.id, folder)
  return { folder }
}

/** @throws Error for a base without weights as safetensors */
async function baseOf(
  models: ModelRegistry,
  { base, format, parent }: RegisteredModel,
): Promise<RegisteredModel | ModelSource | null> {
  if (format !== 'adapter' || parent === null) return base
  const found = await models.get(parent)
  if (found.format === 'safetensors') return found
  throw new Error(
    `the base of the adapter, ${parent}, is ${found.format}: its weights are needed as safetensors`,
  )
}

async function writtenModels(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return readdir(folder)
}

async function removeServedFiles(folder: string, model: string): Promise<void> {
  await rm(join(folder, model), { recursive: true, force: true })
}
