import { beforeAll, expect, test, vi } from 'vitest'
import { openPlayer } from '../support/play-run.ts'
import { pythonWith } from '../support/python-venv.ts'

beforeAll(async () => {
  vi.stubEnv('ESPALIER_PYTHON', await pythonWith('shared/environments/scienceworld/host/requirements.txt'))
})

test.each([
  { id: 'react', max_steps: 8 },
  { id: 'mcts', iterations: 2, samples: 2, max_depth: 3 },
])('a run on ScienceWorld ends, and comes to the same trees each time: $id', async (method) => {
  const play = await openPlayer()
  const request = { environment: 'scienceworld', tasks: { split: 'test', limit: 2 }, method }
  const first = await play(request)
  expect(first.run).toMatchObject({ status: 'succeeded', episodes: { errored: 0, total: 2 } })
  for (const { nodes } of first.trees) {
    expect(nodes.length).toBeGreaterThan(3)
    expect(nodes.some(({ valid }) => valid === true)).toBe(true)
  }
  expect((await play(request)).trees).toEqual(first.trees)
})
