import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { enlistWorker, heartbeat, sendHeartbeat } from '../../shared/core/engine/workers.ts'
import type { Host, HostRequest, Hosts, World } from '../../shared/core/world/ports.ts'
import { type HostOrder, type HostPoll, longestPollSeconds } from './host-calls.ts'
import { HostMachine } from './host-machine.ts'
import { modelServerImage } from './model-calls.ts'

const watchEvery = 1000

export interface HostMachinesOptions {
  world: World
  closing: AbortSignal
}

/** Hosts on machines that joined for it, and, if none of them has room, on the service's machine. */
export class HostMachines implements Hosts {
  readonly #world: World
  readonly #closing: AbortSignal
  readonly #watch: NodeJS.Timeout
  readonly #machines = new Map<string, HostMachine>()
  readonly #beats = new Map<string, { at: number; state: HostPoll['state']; playing: number }>()

  constructor({ world, closing }: HostMachinesOptions) {
    this.#world = world
    this.#closing = closing
    // A pass over the fleets may wait for a machine that is lost.
    this.#watch = setInterval(() => this.#live(), watchEvery).unref()
  }

  /** Hosts of environments, beside those of the service's machine. */
  get capacity(): number {
    const machines = this.#live().filter((machine) => !machine.runs(modelServerImage))
    return machines.reduce((sum, { capacity }) => sum + capacity, 0)
  }

  get remote(): Host[] {
    return this.#live().flatMap(({ hosts }) => hosts.filter(({ status }) => status !== 'stopped'))
  }

  /** The open machines that joined for an image: whether there are any, and their free places. */
  offer(image: string): { any: boolean; room: number } {
    const machines = this.#live().filter((one) => one.capacity > 0 && one.runs(image))
    return { any: machines.length > 0, room: machines.reduce((sum, { room }) => sum + room, 0) }
  }

  async poll(name: string, poll: HostPoll, gone: AbortSignal): Promise<HostOrder[]> {
    if (poll.state === 'left') {
      this.#drop(name)
      await this.#world.ledger.update({ key: ledgerKeys.worker(name), delete: true })
      return []
    }
    const machine = this.#machines.get(name) ?? new HostMachine(name, poll)
    this.#machines.set(name, machine)
    await machine.hear(poll)
    await this.#beat(name, poll)
    const signal = AbortSignal.any([gone, this.#closing])
    return machine.orders(poll, poll.wait ? longestPollSeconds * 1000 : 0, signal)
  }

  async launch(request: HostRequest): Promise<Host> {
    const { image, token, environment = {} } = request
    const machines = this.#live()
    const launched = machines.flatMap(({ hosts }) => hosts).find((host) => host.token === token)
    if (launched !== undefined) return launched
    const [machine] = machines
      .filter((one) => one.room > 0 && one.runs(image))
      .toSorted((one, other) => other.room - one.room)
    if (machine === undefined) return this.#world.hosts.launch(request)
    const answer = await machine.ask({ op: 'launch', image, token, environment })
    if (answer === null || answer.status !== 200)
      throw new EspalierError(
        'host_unreachable',
        `The machine ${machine.name} did not start a host of "${image}": ${answer?.body ?? 'it is lost'}.`,
      )
    const { id, status, reason } = JSON.parse(answer.body) as Host
    return { id, image, token, status: status === 'stopped' ? status : 'starting', address: null, reason }
  }

  async describe(ids: string[]): Promise<Host[]> {
    const remote = this.#live().flatMap(({ hosts }) => hosts.filter(({ id }) => ids.includes(id)))
    return [...remote, ...(await this.#world.hosts.describe(ids))]
  }

  async list(): Promise<Host[]> {
    return [...this.remote, ...(await this.#world.hosts.list())]
  }

  async stop(id: string, { grace = 30 }: { grace?: number } = {}): Promise<void> {
    const machine = this.#live().find(({ hosts }) => hosts.some((host) => host.id === id))
    if (machine === undefined) await this.#world.hosts.stop(id, { grace })
    else await machine.ask({ op: 'stop', host: id, grace })
  }

  close(): void {
    clearInterval(this.#watch)
    for (const name of this.#machines.keys()) this.#drop(name)
  }

  #live(): HostMachine[] {
    for (const machine of this.#machines.values()) if (machine.isLost) this.#drop(machine.name)
    return [...this.#machines.values()]
  }

  #drop(name: string): void {
    this.#machines.get(name)?.close()
    this.#machines.delete(name)
    this.#beats.delete(name)
  }

  async #beat(name: string, { hosts, machine, state }: HostPoll): Promise<void> {
    const last = this.#beats.get(name)
    const playing = hosts.filter(({ status }) => status === 'running').length
    const isDue = performance.now() - (last?.at ?? 0) >= heartbeat.every * 1000
    if (last !== undefined && !isDue && last.state === state && last.playing === playing) return
    this.#beats.set(name, { at: performance.now(), state, playing })
    const announced = { machine, load: { playing, leaving: state !== 'open', episodes: [] } }
    if (last === undefined) await enlistWorker(this.#world, name, announced)
    else await sendHeartbeat(this.#world, name, announced)
  }
}
