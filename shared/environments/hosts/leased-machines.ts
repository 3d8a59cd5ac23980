import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import type { World } from '../../core/world/ports.ts'
import type { MachineOfSession } from '../environment.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { OpenedSession, SessionRequest, SessionSource } from '../session-source.ts'
import { askForSlots, readDemand, withdrawDemand } from './host-demand.ts'
import { type HeldSites, withSites } from './leased-sites.ts'
import { SpareSessions } from './spare-sessions.ts'

const demandMilliseconds = { duration: 60_000, repeated: 20_000 }
const looks = { first: 100, most: 2000 }
/** Milliseconds for which a machine that failed to open a session is avoided, while there are others. */
const rest = 60_000

/**
 * Opens sessions on machines that serve one user at a time: among all workers of a world, a session holds one of them
 * from before it opens until it is closed. A session that its episode can do without returns its machine as soon as
 * another caller waits for one.
 */
export function leasedMachines(
  world: Pick<World, 'ledger' | 'clock'>,
  source: SessionSource,
  machinesOf: () => readonly MachineOfSession[],
): SessionSource {
  const waitedFor = (machines: readonly MachineOfSession[]) => {
    const names = machines.map(({ address }) => address).toSorted()
    return `machines ${hash('sha256', names.join(' '), 'base64url').slice(0, 22)}`
  }
  const spares = new SpareSessions(async () => (await readDemand(world, waitedFor(machinesOf()))) > 0)

  const resting = new Map<string, number>()
  const isUsable = ({ address }: MachineOfSession) => (resting.get(address) ?? 0) <= performance.now()

  async function takeOne(
    machines: readonly MachineOfSession[],
    holder: string,
    held: HeldSites,
  ): Promise<MachineOfSession | null> {
    const usable = machines.filter(isUsable)
    const from = usable.length > 0 ? usable : machines
    for (const machine of shuffled(from, seededRandom('machine', holder))) {
      if (await held.tryTake(machine.address, holder)) return machine
    }
    return null
  }

  async function wait(
    machines: readonly MachineOfSession[],
    { holder, onNoRoom }: SessionRequest,
    held: HeldSites,
    signal: AbortSignal,
  ): Promise<MachineOfSession> {
    const began = performance.now()
    const asked = { image: waitedFor(machines), who: holder }
    let askedAt: number | null = null
    try {
      for (let pause = looks.first; ; pause = Math.min(pause * 2, looks.most)) {
        const machine = await takeOne(machines, holder, held)
        if (machine !== null) return machine
        onNoRoom?.()
        spares.giveUp()
        const waited = performance.now() - began
        if (askedAt === null || waited - askedAt >= demandMilliseconds.repeated) {
          await askForSlots(world, { ...asked, slots: 1, duration: demandMilliseconds.duration })
          askedAt = waited
        }
        await sleep(pause, undefined, { signal })
      }
    } finally {
      if (askedAt !== null) await withdrawDemand(world, asked)
    }
  }

  async function openOn<Opened>(
    { address, files }: MachineOfSession,
    open: (files: MachineOfSession['files']) => Promise<Opened>,
  ): Promise<Opened> {
    try {
      return await open(files)
    } catch (error) {
      if (error instanceof SessionLostError) resting.set(address, performance.now() + rest)
      throw error
    }
  }

  const { openSpare } = source
  return {
    async open(request, signal, leaving = signal) {
      const machines = machinesOf()
      return withSites(world, async (held) => {
        const machine = await wait(machines, request, held, leaving)
        return openOn(machine, (files) => source.open({ ...request, files }, signal, leaving))
      })
    },
    ...(openSpare && {
      async openSpare(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession | null> {
        const machines = machinesOf()
        if ((await readDemand(world, waitedFor(machines))) > 0) return null
        const opened = await withSites(world, async (held) => {
          const machine = await takeOne(machines, request.holder, held)
          return machine && openSpare({ ...request, files: machine.files }, signal)
        })
        return opened && spares.add(opened, { hold: async () => undefined }, request.onNoRoom)
      },
    }),
  }
}
