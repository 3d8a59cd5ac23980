import { expect, test } from 'vitest'
import { readDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestEngine, toRequest, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const image = 'env-host'

test.each(['pause', 'cancel'] as const)(
  'who asks to %s a run does not wait until there is room on a host',
  async (change) => {
    const world = await openTestWorld()
    const caller = { call: () => Promise.reject(new Error('There is no host to be called.')) }
    const environment = withTasks(createHashEnvironment(1), 2)
    const sessions = hostSessions({ world, caller, image, environment: environment.id, withSnapshots: true })
    const { runs, worker, errors } = openTestEngine({ world, environment, sessions })
    await worker.start()
    const { id } = await runs.create(toRequest({ environment: environment.id, hosting: 'host' }))
    await expect.poll(() => readDemand(world, image)).toBe(2)
    await runs[change](id)
    await expect.poll(() => readDemand(world, image)).toBe(0)
    expect(errors).toEqual([])
    if (change === 'cancel') return
    await runs.resume(id, {})
    await expect.poll(() => readDemand(world, image)).toBe(2)
  },
)
