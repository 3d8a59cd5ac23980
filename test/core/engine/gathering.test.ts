import { expect, test } from 'vitest'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { playOnce, treeBytes } from '../../support/play-once.ts'

const method = { id: 'mcts', iterations: 4, samples: 4 }
const environment = createHashEnvironment(1)

async function play(gatherFor: number) {
  const options = { world: await openTestWorld(), environment, method, model: createHashModel({ delay: 40 }) }
  const { journal, outcome } = await playOnce({ ...options, gatherFor })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return { segments: journal.segments, bytes: await treeBytes(options) }
}

test('samples that are gathered share a segment of the journal, and the tree is the same', async () => {
  const separate = await play(0)
  const gathered = await play(10_000)
  expect(gathered.bytes).toBe(separate.bytes)
  expect(gathered.segments).toBeLessThan(separate.segments / 2)
})

test('gathering ends when its time is over, though an answer is still missing', async () => {
  const model = createHashModel()
  let calls = 0
  const options = {
    world: await openTestWorld(),
    environment,
    method: { id: 'mcts', iterations: 1, samples: 2, max_depth: 1 },
    model: {
      complete: async (...parameters: Parameters<typeof model.complete>) => {
        calls += 1
        if (calls === 2) await new Promise((resolve) => setTimeout(resolve, 300))
        return model.complete(...parameters)
      },
    },
  }
  expect((await playOnce({ ...options, gatherFor: 20 })).journal.segments).toBeGreaterThan(1)
})
