import { expect, test } from 'vitest'
import { readText, trajectoriesOf } from '../trajectories/read-text.ts'

const turn = (from: string, value: string) => ({ from, value })

/** A rollout as ETO writes it, with an example played out before the task. */
function rollout(example: number, meta: object) {
  const shown = Array.from({ length: example }, (_, at) =>
    turn(at % 2 === 0 ? 'human' : 'gpt', `Action: shown ${at}`),
  )
  const conversations = [
    turn('human', 'RULES'),
    turn('gpt', 'OK'),
    ...shown,
    turn('human', 'TASK'),
    turn('gpt', 'Action: search[bed]'),
    turn('human', 'Observation: found'),
  ]
  return JSON.stringify({ meta, conversations }, null, 2)
}

test.each([
  ['webshop', 8],
  ['sciworld', 14],
  ['alfworld', 10],
])('the example that ETO plays out in %s is part of the head', async (environment, example) => {
  const content = rollout(example, { reward: 0.5, error: null })
  const [found] = trajectoriesOf(
    await readText(content, { format: 'eto', environment }, { file: 'out/webshop/42.json' }),
  )
  expect(found?.tree.messages).toHaveLength(example + 3)
  expect(found?.tree.nodes.map(({ action }) => action)).toEqual([null, 'search[bed]'])
  expect(found?.reward).toBe(0.5)
})

test('a rollout is of the task that its file is named for', async () => {
  const content = rollout(8, { reward: 1, error: null })
  const options = { file: 'outputs/webshop/42.json' }
  const [found] = trajectoriesOf(await readText(content, { format: 'eto', environment: 'webshop' }, options))
  expect(found?.tree.task).toBe('webshop-42')
})

test('a rollout of ALFWorld is of the game that its meta names, and won or not', async () => {
  const error = '/games/train/pick-Mug/trial_2/game.tw-pddl'
  const rows = [true, false, 1].map((reward) => JSON.parse(rollout(10, { reward, error })))
  const found = trajectoriesOf(
    await readText(JSON.stringify(rows), { format: 'eto', environment: 'alfworld' }),
  )
  expect(found.map(({ reward }) => reward)).toEqual([1, 0, 1])
  expect(found[0]?.tree.task).toBe('train/pick-Mug/trial_2')
})

test('a reward of a row comes before the one that rows without have, and 0 is a reward', async () => {
  const conversations = [turn('human', 'TASK'), turn('gpt', 'Action: x')]
  const rows = [{ conversations }, { conversations, reward: 0.25 }, { conversations, reward: 0 }]
  const found = trajectoriesOf(await readText(JSON.stringify(rows), { format: 'eto', reward: 0.9 }))
  expect(found.map(({ reward }) => reward)).toEqual([0.9, 0.25, 0])
})

test('rewards of another range are scaled', async () => {
  const row = { conversations: [turn('human', 'TASK'), turn('gpt', 'Action: x')], reward: 75 }
  const [found] = trajectoriesOf(await readText(JSON.stringify(row), { format: 'eto', reward_scale: 100 }))
  expect(found).toMatchObject({ reward: 0.75, tree: { nodes: [{ reward: 0 }, { reward: 0.75 }] } })
})
