import { expect, onTestFinished, test } from 'vitest'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { askForSlots } from '../../../shared/environments/hosts/host-demand.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { leasedSites } from '../../../shared/environments/hosts/leased-sites.ts'
import { scaleFleet } from '../../../shared/environments/hosts/scale-fleet.ts'
import type { SessionPlace } from '../../../shared/environments/hosts/session-place.ts'
import { SpareSessions } from '../../../shared/environments/hosts/spare-sessions.ts'
import type { OpenedSession, SessionSource } from '../../../shared/environments/session-source.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { signal } = new AbortController()
const image = 'env-host'
const request = (holder: string, onNoRoom?: () => void) => ({
  task: 'textcraft-0042',
  seed: 0,
  holder,
  ...(onNoRoom && { onNoRoom }),
})

/** Two real hosts of two slots each, in this process. */
async function openHosts() {
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: {} })
  onTestFinished(() => world.close())
  const hosts = openInProcessHosts({ world, environment: textcraft, slots: 2 })
  for (const id of ['one', 'two']) await hosts.add(id)
  const spare = async (holder: string, onNoRoom?: () => void) =>
    (await hosts.sessions.openSpare?.(request(holder, onNoRoom), signal)) ?? null
  return { world, ...hosts, spare }
}

const hostOf = ({ live }: OpenedSession, { calls }: { calls: { operation: string; host: string }[] }) => {
  expect(live).toBeDefined()
  return calls.findLast(({ operation }) => operation === 'create')?.host
}

test('a session that can be done without is opened on a host that has others, never on an idle one', async () => {
  const hosts = await openHosts()
  expect(await hosts.spare('a')).toBeNull()
  const first = hostOf(await hosts.sessions.open(request('a'), signal), hosts)
  expect(hostOf((await hosts.spare('a/2')) as OpenedSession, hosts)).toBe(first)
  expect(await hosts.spare('a/3')).toBeNull()
})

test('it is not opened while others wait, and steps and goes back as any other does', async () => {
  const hosts = await openHosts()
  const { result } = await hosts.sessions.open(request('a'), signal)
  await askForSlots(hosts.world, { image, who: 'b', slots: 1, duration: 60_000 })
  expect(await hosts.spare('a')).toBeNull()
  await hosts.world.ledger.update({ key: { partition: `host-demand/${image}`, sort: 'b' }, delete: true })
  const { live } = (await hosts.spare('a')) as OpenedSession
  expect((await live.step('inventory', signal)).valid).toBe(true)
  expect((await live.restore(null, signal)).observation).toBe(result.observation)
})

test('who lacks room gets the slot at once, and the fleet launches nothing for it', async () => {
  const hosts = await openHosts()
  const others = await Promise.all(['a', 'b', 'c'].map((each) => hosts.sessions.open(request(each), signal)))
  const spare: OpenedSession = (await hosts.spare('a', () => void spare.live.close())) as OpenedSession
  const { world, caller } = hosts
  const limits = fleetLimitsSchema.parse({ slots: 2 })
  await askForSlots(world, { image, who: 'elsewhere', slots: 1, duration: 60_000 })
  // Hosts that the world did not launch are gone to it: it looks at their leases alone here.
  const launch = async () => (await scaleFleet(keptHosts(world), { image, limits, caller })).launched.length
  expect(await launch()).toBe(0)
  const next = await hosts.sessions.open(request('d'), signal)
  await expect(spare.live.step('inventory', signal)).rejects.toThrow()
  expect(await launch()).toBe(1)
  await Promise.all([...others, next].map(({ live }) => live.close()))
})

/** The world with its hosts as they are entered, which another machine started. */
function keptHosts(world: Awaited<ReturnType<typeof openLocalWorld>>): typeof world {
  const registry = new HostRegistry(world.ledger)
  const list = async () =>
    (await registry.list(image)).map(({ id, address }) => ({
      ...{ id, image, address, launched_at: 0 },
      status: 'running' as const,
    }))
  const launch = async () => ({ id: 'three', image, address: null, status: 'starting' as const })
  return { ...world, hosts: { ...world.hosts, list, launch } as unknown as typeof world.hosts }
}

test('it looks for those on other machines who lack room while there are such sessions, and keeps their leases', async () => {
  const seen = { looks: 0, held: 0, given: 0 }
  let isRoomWanted = false
  const spares = new SpareSessions(async () => {
    seen.looks += 1
    return isRoomWanted
  }, 5)
  const live = { close: async () => undefined }
  const hold = async () => {
    seen.held += 1
  }
  const place = { hold } as unknown as SessionPlace
  const opened = { live, result: {} } as unknown as OpenedSession
  const added = spares.add(opened, place, () => {
    seen.given += 1
  })
  await expect.poll(() => seen.held).toBeGreaterThan(1)
  expect(seen.given).toBe(0)
  isRoomWanted = true
  await expect.poll(() => seen.given).toBeGreaterThan(0)
  await added.live.close()
  const { looks } = seen
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(seen.looks).toBeLessThanOrEqual(looks + 1)
})

test('sites that only one session may use keep an episode to one session', async () => {
  const world = await openTestWorld()
  const opened = { live: {}, result: {} } as unknown as OpenedSession
  const source: SessionSource = { open: async () => opened, openSpare: async () => opened }
  const leased = leasedSites(world, source, (task) => (task === 'shop' ? ['http://shop'] : []))
  const spare = (task: string) => leased.openSpare?.({ task, seed: 0, holder: 'a' }, signal)
  expect(await spare('shop')).toBeNull()
  expect(await spare('alone')).toBe(opened)
})
