import { expect, test } from 'vitest'
import type { TrajectoryFormat } from '../../../shared/core/contracts/trajectory-import.ts'
import { recogniseFormat } from '../../../shared/data/formats/formats.ts'
import { played, readText, trajectoriesOf } from '../trajectories/read-text.ts'

const answers = [
  'Thought: A log.\nAction: get 1 oak log',
  'Thought: Planks.\nAction: craft 4 oak planks using 1 oak log',
]
const steps = [
  { action: 'get 1 oak log', message: answers[0], observation: ['Got 1 oak log'] },
  {
    action: 'craft 4 oak planks using 1 oak log',
    message: answers[1],
    observation: ['Crafted 4 oak planks'],
  },
]
const unshown = [steps[0], { ...steps[1], observation: [] }]

const share = (...turns: [string, unknown][]) => turns.map(([from, value]) => ({ from, value }))
const body: [string, unknown][] = [
  ['gpt', answers[0]],
  ['human', 'Got 1 oak log'],
  ['gpt', answers[1]],
]
const chat = [
  { role: 'assistant', content: answers[0] },
  { role: 'user', content: 'Got 1 oak log' },
  { role: 'assistant', content: answers[1] },
]
const head = [
  { role: 'user', content: 'RULES' },
  { role: 'assistant', content: 'OK' },
  { role: 'user', content: 'Goal: craft oak planks.' },
]

interface Example {
  row: object
  head: object[]
  steps?: object[]
  task?: string
}

/** Formats whose fields are also those of another. */
const sameFields: Record<string, string> = { fastchat: 'eto', axolotl: 'openai' }

const examples: Record<TrajectoryFormat, Example> = {
  eto: {
    row: {
      id: 12,
      conversations: share(['human', 'RULES'], ['gpt', 'OK'], ['human', 'Goal: craft oak planks.'], ...body, [
        'human',
        'Crafted 4 oak planks',
      ]),
    },
    head,
    steps,
    task: 'textcraft_12',
  },
  agenttraj: {
    row: {
      item_id: 'textcraft_12',
      conversations: [
        { from: 'human', loss: null, value: 'RULES' },
        { from: 'gpt', loss: false, value: 'OK' },
        { from: 'human', loss: null, value: 'Goal: craft oak planks.' },
        { from: 'gpt', loss: true, value: answers[0] },
        { from: 'human', loss: null, value: 'Got 1 oak log' },
        { from: 'gpt', loss: true, value: answers[1] },
      ],
    },
    head,
    task: 'textcraft_12',
  },
  'agent-r': {
    row: { task_num: '12', revise_log: [...head, ...chat.map((turn) => ({ ...turn, loss: true }))] },
    head,
    task: 'textcraft_12',
  },
  atif: {
    row: {
      schema_version: 'ATIF-v1.6',
      session_id: 's',
      agent: { name: 'terminus', version: '1', model_name: 'm' },
      steps: [
        { step_id: 1, source: 'user', message: 'RULES' },
        { step_id: 2, source: 'agent', message: 'OK' },
        { step_id: 3, source: 'user', message: 'Goal: craft oak planks.' },
        ...steps.map(({ action, message, observation }, index) => ({
          step_id: index + 4,
          source: 'agent',
          message,
          tool_calls: [{ tool_call_id: `c${index}`, function_name: 'act', arguments: { action } }],
          observation: { results: [{ source_call_id: `c${index}`, content: observation[0] }] },
        })),
      ],
      extra: { task: '12' },
    },
    head,
    steps,
    task: 'textcraft_12',
  },
  openai: { row: { messages: [...head, ...chat] }, head },
  trl: { row: { prompt: head, completion: chat }, head },
  axolotl: {
    row: { messages: [...head, ...chat.map((turn) => ({ ...turn, train: turn.role === 'assistant' }))] },
    head,
  },
  'llama-factory': {
    row: {
      system: 'RULES',
      conversations: share(
        ['human', 'Goal: craft oak planks.'],
        ['gpt', answers[0]],
        ['observation', 'Got 1 oak log'],
        ['gpt', answers[1]],
      ),
    },
    head: [{ role: 'system', content: 'RULES' }, head[2] as object],
  },
  xtuner: {
    row: {
      conversation: [
        { system: 'RULES', input: 'Goal: craft oak planks.', output: answers[0], output_with_loss: true },
        { input: 'Got 1 oak log', output: answers[1], output_with_loss: true },
      ],
    },
    head: [{ role: 'system', content: 'RULES' }, head[2] as object],
  },
  fastchat: {
    row: { id: 'x', conversations: share(['human', 'RULES'], ...body) },
    head: [head[0] as object],
    task: 'x',
  },
  parquet: {
    row: { type: 'conversation', messages: [...head, ...chat.map((turn) => ({ ...turn, weight: null }))] },
    head,
  },
}

test.each(Object.entries(examples))(
  '%s is read: its head, answers, actions and observations',
  async (format, example) => {
    const content = JSON.stringify(example.row)
    const [found] = trajectoriesOf(await readText(content, { format: format as TrajectoryFormat }))
    expect(found && played(found.tree)).toEqual({ head: example.head, steps: example.steps ?? unshown })
    expect(found?.tree.task).toEqual(example.task ?? expect.stringMatching(/^prompt-[\w-]{16}$/))
    expect(found).toMatchObject({
      reward: 1,
      tree: {
        environment: 'textcraft',
        best: 2,
        nodes: [{ depth: 0 }, { reward: 0 }, { reward: 1, terminal: true }],
      },
    })
    const looks = recogniseFormat(example.row as Record<string, unknown>)?.id
    expect(looks).toBe(sameFields[format] ?? format)
  },
)

test('the reward of a trajectory in ATIF is the final one, else that of its last step', async () => {
  const { row } = examples.atif as { row: { steps: object[] } }
  const stepped = { ...row, steps: row.steps.map((step, at) => ({ ...step, extra: { reward: at / 10 } })) }
  const final = { ...stepped, final_metrics: { extra: { reward: 0.9 } } }
  const found = trajectoriesOf(await readText(JSON.stringify([final, stepped]), { format: 'atif' }))
  expect(found.map(({ reward }) => reward)).toEqual([0.9, 0.4])
  // As everywhere, the reward of the whole stands at its end.
  expect(found[0]?.tree.nodes.map(({ reward }) => reward)).toEqual([0, 0.3, 0.9])
})

test('rows without a task’s name are the same task where they begin alike', async () => {
  const rows = ['Goal: a', 'Goal: a', 'Goal: b'].map((goal) => ({
    messages: [
      { role: 'user', content: goal },
      { role: 'assistant', content: 'Action: x' },
    ],
  }))
  const found = trajectoriesOf(await readText(JSON.stringify(rows), { format: 'openai' }))
  const tasks = found.map(({ tree }) => tree.task)
  expect(tasks[0]).toBe(tasks[1])
  expect(new Set(tasks).size).toBe(2)
})

test.each([
  ['webshop', 'webshop', { id: 6 }, 'webshop-6'],
  ['webshop', 'webshop', { id: 'webshop_6' }, 'webshop-6'],
  ['webshop', 'webshop', { id: 'webshop-6' }, 'webshop-6'],
  ['sciworld', 'scienceworld', { id: 'sciworld_33' }, 'melt/3'],
  ['sciworld', 'scienceworld', { id: '14_225' }, 'find-plant/225'],
  ['scienceworld-plain', 'scienceworld-plain', { id: 'sciworld_536' }, 'use-thermometer/416'],
  ['textcraft', 'textcraft', { id: 'textcraft-0042' }, 'textcraft-0042'],
  ['textcraft', 'textcraft', { id: 'textcraft_42' }, 'textcraft_42'],
  ['textcraft', 'textcraft', { id: 42 }, 'textcraft_42'],
  [
    'alfworld',
    'alfworld',
    { id: 3, game_file: '/data/json_2.1.1/train/pick-Book/trial_1/game.tw-pddl' },
    'train/pick-Book/trial_1',
  ],
  ['alfworld', 'alfworld', { id: 'valid_seen/pick_and/trial_1' }, 'valid_seen/pick_and/trial_1'],
])('a task of %s has the id that it has here', async (said, environment, row, task) => {
  const content = JSON.stringify({ ...row, conversations: share(['human', 'RULES'], ...body) })
  const [found] = trajectoriesOf(await readText(content, { format: 'eto', environment: said }))
  expect(found?.tree).toMatchObject({ environment, task })
})

test('the environment of AgentTraj-L’s items is in their ids', async () => {
  const row = (item_id: string) => ({ item_id, conversations: share(['human', 'RULES'], ...body) })
  const content = JSON.stringify([row('sciworld_4'), row('babyai_9')])
  const found = trajectoriesOf(await readText(content, { format: 'agenttraj', environment: undefined }))
  expect(found.map(({ tree }) => [tree.environment, tree.task])).toEqual([
    ['scienceworld', 'boil/4'],
    ['babyai', '9'],
  ])
})
