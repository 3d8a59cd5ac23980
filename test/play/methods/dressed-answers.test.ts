import { expect, test } from 'vitest'
import { answerQuestions } from '../../../shared/play/methods/answer-questions.ts'
import type { ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise, treeOf } from '../../support/play-once.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'

/** Plays one episode whose policy says the answers in turn, and keeps the actions that the environment hears. */
async function play(method: PlayOnceOptions['method'], answers: readonly string[]) {
  const heard: string[] = []
  let asked = 0
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: createTestEnvironment({
      reset: () => ({ state: {}, observation: 'start' }),
      step: (state, action) => {
        heard.push(action)
        const done = action === 'inventory'
        return { state, observation: 'seen', reward: done ? 1 : 0, done, valid: done }
      },
    }),
    method,
    model: {
      async complete({ n = 1 }: ChatRequest) {
        const choices = Array.from({ length: n }, () => {
          const content = answers[asked % answers.length] ?? ''
          asked += 1
          return { content, finish_reason: 'stop' }
        })
        return { choices, model_calls: 1, input_tokens: 1, output_tokens: 1, cost: null }
      },
    },
  }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  return { heard, tree: await treeOf(options), summary: await summarise(options) }
}

const rows = [
  '**Thought:** a\n**Action:** inventory',
  'Action: `inventory`',
  'Action 2: inventory',
  'action: inventory',
  '<think>\nAction: get 1 log\nObservation: Got it\n</think>\nAction: inventory',
]

test.each(rows)('react plays the action of %j', async (answer) => {
  const { heard, summary } = await play({ id: 'react', max_steps: 3 }, [answer])
  expect(heard).toEqual(['inventory'])
  expect(summary).toMatchObject({ reward: 1, invalid_actions: 0, answers: { total: 1, unparsable: 0 } })
})

test.each([
  { id: 'best-first', value: 'reward', budget: 2, branching: 1, proposals: 2 },
  { id: 'mcts', value: 'reward', iterations: 2, branching: 1, proposals: 2 },
  { id: 'mcts', iterations: 1, samples: 1 },
  { id: 'act', max_steps: 1 },
])('$id plays it as well', async (method) => {
  for (const answer of rows.slice(2)) {
    const { heard, tree, summary } = await play(method, [answer])
    expect(new Set(heard)).toEqual(new Set(['inventory']))
    expect(tree.nodes[1]).toMatchObject({ action: 'inventory', reward: 1 })
    expect(summary?.answers?.unparsable).toBe(0)
  }
})

test.each([
  '<think>\nAction: inventory',
  'Action: inventory\n</think>',
  '<tool_call>{"name": "craft", "arguments": {"count": 1}}</tool_call>',
])('%j takes no step and is counted', async (answer) => {
  const { heard, tree, summary } = await play({ id: 'react', max_steps: 2 }, [answer])
  expect(heard).toEqual([])
  expect(tree.nodes[1]).toMatchObject({ action: '', message: answer, valid: false })
  expect(summary).toMatchObject({ reward: 0, answers: { total: 2, unparsable: 2 } })
})

test('the conversation keeps the answer as it was given', async () => {
  const { tree } = await play({ id: 'react', max_steps: 2 }, [rows[4] as string])
  expect(tree.nodes[1]?.message).toBe(rows[4])
})

const asked = { observation: 'seen <1>', reward: 1, done: true, valid: true, progress: 1, state_hash: null }
const question = { role: 'judge' as const, text: 'Right?', accept: ['correct'], refuse: ['incorrect'] }

test.each([
  ['<think>Is it incorrect?</think> Correct.', 1],
  ['Is it correct?</think>Incorrect.', 0],
] as const)('a judge that says %j gives %d', async (answer, reward) => {
  const verdicts = [[{ ...question, otherwise: 'no' as const }]]
  const questions = { verdicts, captions: [] }
  expect((await answerQuestions({ ...asked, questions }, 'step', async () => answer)).reward).toBe(reward)
})

test('a judge that never stops reasoning fails the episode, and a caption is without reasoning', async () => {
  const verdicts = [[{ ...question, otherwise: 'no' as const }]]
  const grade = answerQuestions(
    { ...asked, questions: { verdicts, captions: [] } },
    'step',
    async () => '<think>correct',
  )
  await expect(grade).rejects.toMatchObject({ code: 'endpoint_failed' })
  const captions = [{ role: 'captioner' as const, text: 'Which?', placeholder: '<1>', template: '{caption}' }]
  const say = async () => '<think>a dog?</think>A cat.'
  const shown = await answerQuestions({ ...asked, questions: { verdicts: [], captions } }, 'step', say)
  expect(shown.observation).toBe('seen A cat.')
})
