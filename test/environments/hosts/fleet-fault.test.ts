import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import type { Clock } from '../../../shared/core/world/ports.ts'
import { fleetLimitsSchema } from '../../../shared/environments/hosts/fleet-limits.ts'
import { askForSlots, readDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { scaleFleet } from '../../../shared/environments/hosts/scale-fleet.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const image = 'broken'
const limits = fleetLimitsSchema.parse({ slots: 2 })
const caller = { call: () => Promise.reject(new Error('There is no host to be called.')) }

const failing = `console.log(JSON.stringify({ failed: 'Java is missing.' })); process.exitCode = 1`

/** A fleet whose hosts say why they cannot start, in a time that the test moves on. */
async function openBrokenFleet(program = failing) {
  const folder = await temporaryFolder()
  const entry = join(folder, 'broken.ts')
  await writeFile(entry, program)
  const local = await openLocalWorld({ folder, images: { [image]: entry } })
  onTestFinished(() => local.close())
  const time = { now: Date.now() }
  const clock: Clock = { now: () => time.now, sleep: async () => undefined }
  const world = { ledger: local.ledger, hosts: local.hosts, objects: local.objects, clock }
  return {
    world,
    scale: () => scaleFleet(world, { image, limits, caller }),
    later: (seconds: number) => {
      time.now += seconds * 1000
    },
  }
}

test('who waits for hosts that never start gets the reason, and the fleet does not launch them without a pause', async () => {
  const { world, scale, later } = await openBrokenFleet()
  const sessions = hostSessions({ world, caller, image, environment: 'toy', withSnapshots: true })
  const { signal } = new AbortController()
  const opening = sessions.open({ task: 'one', seed: 0, holder: 'a test' }, signal)
  const refusal = expect(opening).rejects.toMatchObject({
    code: 'host_unreachable',
    message: expect.stringMatching(/"broken" do not start.*toy.*Java is missing\..*retry the run/),
  })
  await expect.poll(() => readDemand(world, image)).toBe(1)
  for (let launch = 0; launch < 3; launch += 1) {
    expect((await scale()).failures).toHaveLength(1)
    // A pass at the same moment leaves the hosts alone.
    expect((await scale()).failures).toEqual([])
    later(10)
  }
  await refusal
})

test('once the cause is mended, who comes next gets one launch to wait for', async () => {
  const { world, scale, later } = await openBrokenFleet()
  const sessions = hostSessions({ world, caller, image, environment: 'toy', withSnapshots: true })
  for (let launch = 0; launch < 3; launch += 1) {
    await world.ledger.update({
      key: { partition: `host-demand/${image}`, sort: 'caller' },
      set: { slots: 1, expires_at: world.clock.now() + 60_000 },
    })
    await scale()
    later(20)
  }
  const controller = new AbortController()
  const opening = sessions.open({ task: 'one', seed: 0, holder: 'a test' }, controller.signal)
  const outcome = opening.then(
    () => 'opened',
    (error: Error) => error.name,
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  controller.abort()
  // It waited for a host until it was called off, and was not refused for what happened before.
  expect(await outcome).toBe('AbortError')
})

test('who waits for hosts that run, but never report that they are healthy, gets that as the reason', async () => {
  const { world, scale, later } = await openBrokenFleet(
    'setInterval(() => undefined, 1000); console.log(JSON.stringify({ port: 1 }))',
  )
  const sessions = hostSessions({ world, caller, image, environment: 'toy', withSnapshots: true })
  const { signal } = new AbortController()
  const opening = sessions.open({ task: 'one', seed: 0, holder: 'a test' }, signal)
  const refusal = expect(opening).rejects.toThrow(/did not say that it is well/)
  await expect.poll(() => readDemand(world, image)).toBe(1)
  for (let launch = 0; launch < 3; launch += 1) {
    await askForSlots(world, { image, who: 'a test/1', slots: 1, duration: 600_000 })
    await scale()
    later(limits.lost_after + 1)
    await scale()
    later(20)
    await scale()
  }
  await refusal
})
