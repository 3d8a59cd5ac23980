import { expect, test } from 'vitest'
import type { World } from '../../../shared/core/world/ports.ts'
import { leasedSites } from '../../../shared/environments/hosts/leased-sites.ts'
import { SessionLostError } from '../../../shared/environments/session-lost-error.ts'
import type { LiveEnvironment, SessionSource } from '../../../shared/environments/session-source.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const { signal } = new AbortController()
const request = (task: string, holder: string) => ({ task, seed: 0, holder })

/** Sessions that say when they are opened and closed, and whose tasks are named by the sites that they have alone. */
function openSites(world: Pick<World, 'ledger' | 'clock'>, events: string[] = []): SessionSource {
  const source: SessionSource = {
    async open({ task, holder }) {
      if (holder === 'failing') throw new Error('no session')
      events.push(`${holder} opens ${task}`)
      const live = { close: async () => void events.push(`${holder} closes`), step: async () => 'stepped' }
      return { live: live as unknown as LiveEnvironment, result: {} as never }
    },
  }
  return leasedSites(world, source, (task) => task.split(' ').filter(Boolean))
}

test('one session at a time has a site, and the next one has it when that is closed', async () => {
  const events: string[] = []
  const world = await openTestWorld()
  const [here, there] = [openSites(world, events), openSites(world, events)]
  const { live } = await here.open(request('shop', 'a'), signal)
  const asked: string[] = []
  const next = there.open({ ...request('forum shop', 'b'), onNoRoom: () => void asked.push('rest') }, signal)
  const other = await here.open(request('map', 'c'), signal)
  await other.live.close()
  await expect.poll(() => asked).toContain('rest')
  expect(events).toEqual(['a opens shop', 'c opens map', 'c closes'])
  await live.close()
  await (await next).live.close()
  expect(events.slice(3)).toEqual(['a closes', 'b opens forum shop', 'b closes'])
})

test('sessions that want the same sites in another order do not wait for each other for ever', async () => {
  const events: string[] = []
  const world = await openTestWorld()
  const source = openSites(world, events)
  await Promise.all(
    ['shop forum', 'forum shop', 'shop forum'].map(async (task, index) => {
      await (await source.open(request(task, `holder-${index}`), signal)).live.close()
    }),
  )
  expect(events).toHaveLength(6)
})

test('a site is free again when its session could not be opened, and who is called off waits no longer', async () => {
  const source = openSites(await openTestWorld())
  await expect(source.open(request('shop', 'failing'), signal)).rejects.toThrow('no session')
  const { live } = await source.open(request('shop', 'a'), signal)
  const stop = new AbortController()
  const waiting = source.open(request('shop', 'b'), signal, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow()
  await live.close()
})

test('a session whose site may have gone to another by now is lost', async () => {
  const world = await openTestWorld()
  let passed = 0
  const clock = { ...world.clock, now: () => world.clock.now() + passed }
  const source = openSites({ ledger: world.ledger, clock })
  const { live } = await source.open(request('shop', 'a'), signal)
  await expect(live.step('x', signal)).resolves.toBe('stepped')
  passed = 61_000
  await expect(live.step('x', signal)).rejects.toBeInstanceOf(SessionLostError)
  await live.close()
})
