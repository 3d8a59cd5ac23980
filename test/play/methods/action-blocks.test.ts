import { expect, test } from 'vitest'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise, treeOf } from '../../support/play-once.ts'
import { scriptedEnvironment, scriptedModel, scriptedRoles } from '../../support/scripted-episode.ts'

const first = '```python\nfor _ in range(2):\n    pyautogui.press("down")\n```'
const last = '```python\npyautogui.write("Action: x")\n```\n```DONE```'

const methods: PlayOnceOptions['method'][] = [
  { id: 'react', style: 'plain' },
  { id: 'act', style: 'plain' },
  {
    id: 'mcts',
    style: 'plain',
    value: 'judge',
    iterations: 4,
    branching: 2,
    proposals: 2,
    verdicts: 1,
    rubric: false,
  },
  { id: 'rmcts', style: 'plain', iterations: 4, branching: 2, proposals: 2, verdicts: 1, rubric: false },
]

test.each(methods)('$id takes blocks of code of several lines as one action', async (method) => {
  const plain = scriptedEnvironment({ [`${first}/${last}`]: { done: true, reward: 1 } })
  const [task] = plain.tasks()
  const guide = plain.describe(task as NonNullable<typeof task>)
  const model = scriptedModel(({ role, request }) => {
    if (role !== 'policy') return 'Status code: C'
    const isFirst = !request.messages.some(({ role: who }) => who === 'assistant')
    return `Thought: t\nAction:\n${isFirst ? first : last}\nObservation: I made this up.`
  })
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: { ...plain, describe: () => ({ ...guide, blocks: true }) },
    model,
    method,
    request: { roles: scriptedRoles },
  }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  const { nodes } = await treeOf(options)
  expect([...new Set(nodes.map(({ action }) => action))]).toEqual([null, first, last])
  const done = nodes.filter(({ reward }) => reward === 1)
  expect(new Set(done.map(({ message }) => message))).toEqual(new Set([`Thought: t\nAction:\n${last}`]))
  expect(await summarise(options)).toMatchObject({ reward: 1, path_length: 2 })
})
