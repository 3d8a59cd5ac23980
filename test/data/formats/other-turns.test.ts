import { expect, test } from 'vitest'
import { readText, rejectionsOf, trajectoriesOf } from '../trajectories/read-text.ts'

const turns = [
  ['user', 'human', 'Craft a stick.'],
  ['assistant', 'gpt', 'OK'],
  ['user', 'human', 'You have a log.'],
  ['assistant', 'gpt', 'Thought: t\nAction: craft'],
] as const
const chat = turns.map(([role, , content]) => ({ role, content }))
const sharegpt = turns.map(([, from, value]) => ({ from, value }))

test.each(['eto', 'llama-factory', 'agenttraj'] as const)(
  'conversations of chat messages are the same trajectories, as %s in JSON Lines or as a list',
  async (format) => {
    const row = (conversations: object) => ({ id: '1', item_id: 'textcraft_1', conversations })
    const read = async (text: string) =>
      trajectoriesOf(await readText(text, { format })).map(({ tree }) => tree)
    const [expected] = await read(JSON.stringify(row(sharegpt)))
    expect(await read(`${JSON.stringify(row(chat))}\n${JSON.stringify(row(chat))}`)).toEqual([
      expected,
      expected,
    ])
    expect(await read(JSON.stringify([row(chat)]))).toEqual([expected])
  },
)

test('a message without content is rejected by its place', async () => {
  const row = { item_id: 'textcraft_1', conversations: [...chat, { role: 'user' }] }
  const { rejected } = rejectionsOf(await readText(JSON.stringify(row), { format: 'agenttraj' }))
  expect(rejected[0]?.field).toBe('conversations[4].value')
})

test('AgentGym’s evaluations come with their rewards, ScienceWorld’s of 100', async () => {
  const row = (item_id: string, reward: number) =>
    JSON.stringify({ conversations: sharegpt, item_id, reward, success: reward >= 1 ? 1 : 0 })
  const rewards = async (environment: string, ...rows: string[]) =>
    trajectoriesOf(await readText(rows.join('\n'), { format: 'agenttraj', environment })).map(
      ({ reward }) => reward,
    )
  expect(await rewards('textcraft', row('textcraft_1', 1), row('textcraft_2', 0))).toEqual([1, 0])
  expect(await rewards('webshop', row('webshop_1', 0.75))).toEqual([0.75])
  expect(await rewards('scienceworld', row('sciworld_1', 83), row('sciworld_2', -100))).toEqual([0.83, 0])
})
