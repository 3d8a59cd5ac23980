import { expect, test } from 'vitest'
import { openMemories } from '../../../shared/core/engine/memories/open-memories.ts'
import { EpisodeCache } from '../../../shared/insight/inspection/episode-cache.ts'
import { openInspection } from '../../../shared/insight/inspection/open-inspection.ts'
import { openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

test('uses are listed for a tenant’s own memory in the tenant’s own runs, and of no other', async () => {
  const world = await openTestWorld()
  const engine = openLearningEngine({ world, sharing: { writes: ['memory'] } })
  await engine.worker.start()
  const runOf = async (tenant: string): Promise<string> => {
    const runs = engine.tenants.of(tenant)
    const { id } = await runs.create(toRequest())
    await untilStatus({ runs }, id, 'succeeded')
    return id
  }
  const [own, theirs] = [await runOf('default'), await runOf('rival')]
  const memoryOf = (run: string) => run.replace('run-', 'mem-')
  const inspection = openInspection({
    runs: engine.runs,
    memories: openMemories(world).of('default'),
    cache: new EpisodeCache(),
    reader: engine.memory,
    objects: world.objects,
    clock: world.clock,
    statesOf: async () => ({ why: 'Nothing is played here.' }),
  })

  expect(await inspection.noteUses(memoryOf(own), {})).toMatchObject({ run: own, episodes: { read: 4 } })
  await expect(inspection.noteUses(memoryOf(theirs), {})).rejects.toMatchObject({
    code: 'not_found',
    param: 'memory',
  })
  await expect(inspection.noteUses(memoryOf(own), { run: theirs })).rejects.toMatchObject({
    code: 'not_found',
    param: 'run',
  })
})
