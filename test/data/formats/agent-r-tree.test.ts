import { expect, test } from 'vitest'
import { readText, rejectionsOf, trajectoriesOf } from '../trajectories/read-text.ts'

const state = [
  { role: 'system', content: 'RULES' },
  { role: 'user', content: 'Boil water.' },
  { role: 'assistant', content: 'Ok.' },
  { role: 'user', content: 'A kitchen.' },
]

interface Given {
  score?: number
  value?: number
  visits?: number
  children?: object[]
  more?: object
}

/** A node in the shape and with the fields that Agent-R's files have. */
function node(action: string, { score = 0, value = 0, visits = 1, children = [], more = {} }: Given = {}) {
  return {
    visits,
    value,
    prior: 1,
    puct_value: 0.3,
    obs: `after ${action}`,
    llm_response: `Thought: t\nAction: ${action}`,
    depth: 1,
    is_terminal: children.length === 0,
    recent_actions: [action],
    action,
    env_score: score,
    disaster: false,
    state: [],
    children,
    ...more,
  }
}

const tree = {
  ...node('', { value: 160, visits: 4 }),
  obs: '',
  llm_response: 'ROOT',
  is_terminal: false,
  state,
  children: [
    node('a', {
      value: 60,
      visits: 2,
      children: [node('a1', { score: 20, value: 20 }), node('a2', { score: 40, value: 40 })],
    }),
    node('b', { score: 100, value: 100, more: { disaster: true } }),
  ],
}

test('a search tree is read whole: parents, visits, means, and the best node', async () => {
  const options = { file: 'mcts_result/sciworld/search_results_17.json' }
  const content = JSON.stringify(tree, null, 2)
  const [found] = trajectoriesOf(
    await readText(content, { format: 'agent-r', environment: 'sciworld' }, options),
  )
  expect(found).toMatchObject({
    reward: 1,
    tree: { task: 'boil/17', method: 'mcts', environment: 'scienceworld', best: 4 },
  })
  expect(found?.tree.messages).toEqual(state)
  const shown = found?.tree.nodes.map(({ parent, depth, action, visits, value, reward, terminal }) => {
    return [parent, depth, action, visits, value, reward, terminal]
  })
  expect(shown).toEqual([
    [null, 0, null, 4, 0.4, 0, false],
    [0, 1, 'a', 2, 0.3, 0, false],
    [1, 2, 'a1', 1, 0.2, 0.2, true],
    [1, 2, 'a2', 1, 0.4, 0.4, true],
    [0, 1, 'b', 1, 1, 1, true],
  ])
  expect(found?.tree.nodes[4]?.disaster).toBe(true)
  expect(found?.tree.nodes[0]?.observation).toEqual([{ type: 'text', text: 'A kitchen.' }])
})

test('scores of other environments are from 0 to 1 as they are', async () => {
  const content = JSON.stringify({
    ...tree,
    children: [node('b', { score: 0.5, value: 0.5 })],
    value: 0.5,
    visits: 1,
  })
  const [found] = trajectoriesOf(await readText(content, { format: 'agent-r' }))
  expect(found).toMatchObject({ reward: 0.5, tree: { best: 1, nodes: [{ value: 0.5 }, { value: 0.5 }] } })
})

test('a node that does not fit is named by its place', async () => {
  const broken = { ...tree, children: [tree.children[0], { ...tree.children[1], visits: 'two' }] }
  const { rejected } = rejectionsOf(await readText(JSON.stringify(broken), { format: 'agent-r' }))
  expect(rejected).toMatchObject([
    { field: 'children[1].visits', reason: expect.stringContaining('must be a number') },
  ])
})

test.each([
  ['a score that is negative', node('b', { score: -1 }), 'the reward of node 4'],
  ['a value that no mean of rewards has', node('b', { value: 400 }), 'the value of node 4'],
])('a tree is not taken with %s, since it would outweigh all others', async (_, wrong, reason) => {
  const broken = { ...tree, children: [tree.children[0], wrong] }
  const settings = { format: 'agent-r', environment: 'sciworld' } as const
  expect(rejectionsOf(await readText(JSON.stringify(broken), settings)).rejected).toMatchObject([
    { field: 'children', reason: expect.stringContaining(reason) },
  ])
})

test('a tree as deep as anything is read', async () => {
  const depth = 3000
  const [before = '', after = ''] = JSON.stringify(node('on', { children: ['HERE' as never] })).split(
    '"HERE"',
  )
  const end = JSON.stringify(node('end', { score: 1, value: 1 }))
  const deep = `${before.repeat(depth)}${end}${after.repeat(depth)}`
  const content = JSON.stringify({ ...tree, value: 1, children: ['HERE'] }).replace('"HERE"', deep)
  const [found] = trajectoriesOf(await readText(content, { format: 'agent-r' }))
  expect(found?.tree.nodes).toHaveLength(depth + 2)
})
