import { expect, test } from 'vitest'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise, treeOf } from '../../support/play-once.ts'
import { act, scriptedEnvironment, scriptedModel, scriptedRoles } from '../../support/scripted-episode.ts'

const methods: PlayOnceOptions['method'][] = [
  { id: 'mcts', value: 'judge', iterations: 3, branching: 2, proposals: 2, verdicts: 1, rubric: false },
  { id: 'rmcts', iterations: 3, branching: 2, proposals: 2, verdicts: 1, rubric: false },
  { id: 'best-first', budget: 3, branching: 2, proposals: 2, verdicts: 1, rubric: false },
]

/** A task that ends after x; what the policy answers is read from its answers in turn. */
async function play(method: PlayOnceOptions['method'], answers: (way: string) => string[]) {
  let steps = 0
  const environment = scriptedEnvironment({ x: { done: true, reward: 1 } })
  const model = scriptedModel(({ role, way }) => (role === 'policy' ? answers(way) : 'Status code: C'))
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: {
      ...environment,
      async open(task) {
        const core = await environment.open(task)
        return {
          ...core,
          step(state: { path: string[] }, action: string) {
            steps += 1
            return core.step(state, action)
          },
        }
      },
    },
    model,
    method,
    request: { roles: scriptedRoles },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return { steps, model, tree: await treeOf(options), summary: await summarise(options) }
}

test.each(methods)(
  '$id: where no answer can be read, nothing is stepped or valued, and three in a row end the episode',
  async (method) => {
    const { model, steps, summary, tree } = await play(method, () => ['I cannot help with that.'])
    expect(steps).toBe(0)
    expect(model.calls.every(({ role }) => role === 'policy')).toBe(true)
    const [, ...lost] = tree.nodes
    expect(lost.map(({ action, depth, parent }) => ({ action, depth, parent }))).toEqual(
      [1, 2, 3].map((depth) => ({ action: '', depth, parent: depth - 1 })),
    )
    for (const node of lost) {
      expect(node).toMatchObject({
        terminal: true,
        done: false,
        valid: false,
        value: 0,
        reward: 0,
        primitives: [],
      })
      expect(node.visits).toBeGreaterThan(0)
    }
    expect(summary).toMatchObject({ reward: 0, steps: 0, path_length: 3, invalid_actions: 3 })
  },
)

test.each(methods)('$id: beside an answer that can be read, the others count for nothing', async (method) => {
  const { steps, tree } = await play(method, () => ['No action here.', act('x')])
  expect(steps).toBe(1)
  expect(tree.nodes.map(({ action, prior }) => [action, prior])).toEqual([
    [null, 1],
    ['x', 1],
  ])
})

test('rollouts take the last line of such an answer for the action, as Agent-R does', async () => {
  const { tree } = await play({ id: 'mcts', iterations: 1, samples: 1, max_depth: 0 }, () => ['x'])
  expect(tree.nodes[1]).toMatchObject({ action: 'x', reward: 1 })
})
