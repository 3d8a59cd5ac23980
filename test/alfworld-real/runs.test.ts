import { beforeAll, expect, test, vi } from 'vitest'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { openPlayer } from '../support/play-run.ts'
import { pythonWith } from '../support/python-venv.ts'

beforeAll(async () => {
  vi.stubEnv(
    'ESPALIER_PYTHON',
    await pythonWith('shared/environments/alfworld-textworld/host/requirements.txt'),
  )
})

/** What both report: the original program has no name for a state, and knows no progress on the way. */
function comparable({ environment: _environment, nodes, ...tree }: Tree) {
  return { ...tree, nodes: nodes.map(({ state_hash: _hash, progress: _progress, ...node }) => node) }
}

test.each([
  { id: 'react', max_steps: 20 },
  { id: 'mcts', iterations: 2, samples: 2, max_depth: 6 },
])('a run on the original program comes to the trees of ours: $id', async (method) => {
  const play = await openPlayer()
  const request = { tasks: { split: 'test', limit: 3 }, method }
  const original = await play({ ...request, environment: 'alfworld-textworld' })
  expect(original.run).toMatchObject({ status: 'succeeded', episodes: { errored: 0, total: 3 } })
  const ours = await play({ ...request, environment: 'alfworld' })
  expect(original.trees.map(comparable)).toEqual(ours.trees.map(comparable))
})
