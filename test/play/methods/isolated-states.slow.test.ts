import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentKey } from '../../../shared/core/engine/journal-keys.ts'
import { loadModule } from '../../../shared/environments/added/load-module.ts'
import type { Environment } from '../../../shared/environments/environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { createHashModels } from '../../support/hash-models.ts'
import { hostile } from '../../support/hostile-module.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalPrefix, type PlayOnceOptions, playOnce, summarise } from '../../support/play-once.ts'
import { randomMethods, randomRun, someMemories } from '../../support/random-methods.ts'

const file = fileURLToPath(new URL('../../support/hostile-module.ts', import.meta.url))

const [definition] = await loadModule(file)
const isolated = (await definition?.open(null)) as Environment

async function result(options: PlayOnceOptions): Promise<string> {
  const { trajectory: _, ...rest } = (await summarise(options)) ?? { trajectory: null }
  return JSON.stringify(rest)
}

test.each(Object.entries(randomMethods))(
  '%s comes to the same where rules run in a process of their own, also from a journal that was begun without',
  async (_name, method) => {
    for (const chosen of fc.sample(randomRun(method), { numRuns: 2, seed: 5 })) {
      const model = createHashModel({ delay: 1 })
      const open = async (environment: Environment): Promise<PlayOnceOptions> => ({
        ...chosen,
        task: 'fine',
        world: await openTestWorld(),
        environment,
        model,
        models: createHashModels(model),
        memories: someMemories,
      })
      const here = await open(hostile)
      const { journal, outcome } = await playOnce(here)
      expect(outcome.type).toBe('ended')
      const expected = await result(here)
      const apart = await open(isolated)
      expect((await playOnce(apart)).outcome).toEqual(outcome)
      expect(await result(apart)).toBe(expected)
      const later = await open(isolated)
      for (let number = 1; number <= Math.ceil(journal.segments / 2); number += 1) {
        const key = segmentKey(journalPrefix, number)
        const segment = await here.world.objects.get(key)
        if (segment) await later.world.objects.put(key, segment.body)
      }
      expect((await playOnce({ ...later, writer: 'second' })).outcome).toEqual(outcome)
      expect(await result(later)).toBe(expected)
    }
  },
)
