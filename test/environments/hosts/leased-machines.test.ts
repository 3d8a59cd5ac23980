import { expect, test } from 'vitest'
import type { World } from '../../../shared/core/world/ports.ts'
import type { MachineOfSession } from '../../../shared/environments/environment.ts'
import { leasedMachines } from '../../../shared/environments/hosts/leased-machines.ts'
import { SessionLostError } from '../../../shared/environments/session-lost-error.ts'
import { SessionPool } from '../../../shared/environments/session-pool.ts'
import type {
  SessionRequest,
  SessionResult,
  SessionSource,
} from '../../../shared/environments/session-source.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const { signal } = new AbortController()
const request = (holder: string) => ({ task: 'task', seed: 0, holder })

/** Machines at which it is counted how many sessions each has. */
function openMachines(world: Pick<World, 'ledger' | 'clock'>, count: number) {
  const machines = Array.from({ length: count }, (_, index): MachineOfSession => {
    const address = `http://10.0.0.${index}:5000`
    return { address, files: { 'machine.json': address } }
  })
  const used: string[] = []
  const broken = new Set<string>()
  const asked: string[] = []
  const most = { sessions: 0 }
  const open = async ({ files, holder }: SessionRequest) => {
    if (holder.startsWith('failing')) throw new Error('no session')
    const machine = files?.['machine.json'] as string
    asked.push(machine)
    if (broken.has(machine)) throw new SessionLostError('It is not reset.')
    expect(used).not.toContain(machine)
    used.push(machine)
    most.sessions = Math.max(most.sessions, used.length)
    let path: string[] = []
    const resultOf = (): SessionResult => ({
      observation: `at ${path.join(' ')}`,
      ...{ reward: 0, done: false, valid: true, progress: 0, state_hash: null, snapshot: null },
    })
    const live = {
      step: async (action: string) => {
        path = [...path, action]
        return resultOf()
      },
      restore: async () => {
        path = []
        return resultOf()
      },
      close: async () => {
        used.splice(used.indexOf(machine), 1)
      },
    }
    return { live, result: resultOf() }
  }
  const source: SessionSource = { open, openSpare: open }
  const openSource = () => leasedMachines(world, source, () => machines)
  return { openSource, machines, used, most, broken, asked }
}

test('each session has a machine alone, and who finds none waits until one is free', async () => {
  const { openSource, used } = openMachines(await openTestWorld(), 2)
  const [here, there] = [openSource(), openSource()]
  const [one] = await Promise.all([here.open(request('a'), signal), there.open(request('b'), signal)])
  expect(new Set(used).size).toBe(2)
  const asked: string[] = []
  const next = there.open({ ...request('c'), onNoRoom: () => void asked.push('rest') }, signal)
  await expect.poll(() => asked).toContain('rest')
  expect(used).toHaveLength(2)
  await one.live.close()
  await (await next).live.close()
  expect(used).toHaveLength(1)
})

test('a machine is free again when its session could not be opened', async () => {
  const { openSource } = openMachines(await openTestWorld(), 1)
  const source = openSource()
  await expect(source.open(request('failing'), signal)).rejects.toThrow('no session')
  await (await source.open(request('a'), signal)).live.close()
})

test('a search goes on in the machine that is nearest, and leaves all but one to others who wait', async () => {
  const { openSource, used, most } = openMachines(await openTestWorld(), 3)
  const pool = new SessionPool(openSource(), { id: 'task', seed: 0, holder: 'a', sessions: 3 }, [])
  const start = { action: null, answer: await pool.open(signal) }
  for (const action of ['a', 'b', 'c', 'd']) await pool.step([start], action, signal)
  expect([used.length, most.sessions]).toEqual([3, 3])
  // One on another worker: it is seen by what it writes that it waits.
  const { live } = await openSource().open(request('b'), signal)
  await expect.poll(() => used.length).toBe(2)
  expect((await pool.step([start], 'e', signal)).observation).toBe('at e')
  await live.close()
  await pool.close()
  expect(used).toEqual([])
})

test('a machine that cannot be begun on is left alone while there are others, which are waited for', async () => {
  const { openSource, machines, broken, asked } = openMachines(await openTestWorld(), 3)
  const source = openSource()
  const [bad] = machines
  broken.add(bad?.address ?? '')
  for (const holder of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const opening = source.open(request(holder), signal)
    await opening.then(({ live }) => live.close()).catch(() => undefined)
  }
  expect(asked.filter((address) => broken.has(address))).toHaveLength(1)
  const [one] = await Promise.all([source.open(request('i'), signal), source.open(request('j'), signal)])
  const waiting: string[] = []
  const next = source.open({ ...request('k'), onNoRoom: () => void waiting.push('k') }, signal)
  await expect.poll(() => waiting).toContain('k')
  await one.live.close()
  await (await next).live.close()
  expect(asked.filter((address) => broken.has(address))).toHaveLength(1)
})

test('where no machine can be begun on, each is tried', async () => {
  const { openSource, machines, broken } = openMachines(await openTestWorld(), 2)
  for (const { address } of machines) broken.add(address)
  const source = openSource()
  for (const holder of ['a', 'b', 'c']) {
    await expect(source.open(request(holder), signal)).rejects.toThrow('It is not reset.')
  }
  broken.clear()
  await (await source.open(request('d'), signal)).live.close()
})
