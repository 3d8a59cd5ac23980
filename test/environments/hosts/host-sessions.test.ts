import { expect, onTestFinished, test } from 'vitest'
import type { HostAnswer, HostCall } from '../../../shared/core/contracts/host-call.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { signal } = new AbortController()
const request = { task: 'textcraft-0042', seed: 0, holder: 'a test' }

const names = ['one', 'two', 'three', 'four', 'five']

/** Real hosts in this process, some of whose calls come to nothing. */
async function openHosts(onCall: (call: HostCall) => HostAnswer | null) {
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: {} })
  onTestFinished(() => world.close())
  const hosts = openInProcessHosts({ world, environment: textcraft })
  for (const id of names) await hosts.add(id)
  const caller = { call: async (call: HostCall) => onCall(call) ?? hosts.caller.call(call) }
  const { id: environment } = textcraft
  const sessions = hostSessions({ world, caller, image: 'env-host', environment, withSnapshots: true })
  const registry = new HostRegistry(world.ledger)
  const leases = async () => {
    const counts = await Promise.all(names.map((id) => registry.countLeases(id, world.clock.now())))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  return { sessions, leases }
}

test('a slot is given back when the call that should open its session fails', async () => {
  const { sessions, leases } = await openHosts(() => {
    throw new Error('The way to the hosts is gone.')
  })
  await expect(sessions.open(request, signal)).rejects.toThrow('The way to the hosts is gone.')
  expect(await leases()).toBe(0)
})

test('a session that cannot be closed is let go of all the same', async () => {
  const { sessions, leases } = await openHosts(({ operation }) => {
    if (operation === 'close') throw new Error('The way to the hosts is gone.')
    return null
  })
  const { live } = await sessions.open(request, signal)
  expect(await leases()).toBe(1)
  await live.close()
  expect(await leases()).toBe(0)
})

test('a task whose start ends every session is given up, with the reason', async () => {
  const message = 'The session is gone: its program ended with code 1.'
  const error = { type: 'not_found_error', code: 'unknown_session', message, param: null }
  const { sessions, leases } = await openHosts(({ operation }) =>
    operation === 'create' ? { status: 404, body: { error } } : null,
  )
  await expect(sessions.open(request, signal)).rejects.toMatchObject({ message, transient: true })
  expect(await leases()).toBe(0)
})
