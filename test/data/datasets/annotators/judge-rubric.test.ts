import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import type { PromptMessage } from '../../../../shared/core/contracts/message.ts'
import {
  askByRubric,
  judgeRubric,
  readRubricScore,
} from '../../../../shared/data/datasets/annotators/judge-rubric.ts'
import { estimatingCounter } from '../../../../shared/play/models/token-counter.ts'
import { answerQuestion } from '../../../../shared/play/simulated/questions/answer-question.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { branchedTree } from '../open-annotation-engine.ts'

const rubric = 'Give 10 points where the agent looks before it acts.\n\nAnswer in this form:\nMarks: <none>'
const tree = branchedTree('wood')

async function annotate(answers: readonly string[]) {
  const asked: { key: string; messages: readonly PromptMessage[] }[] = []
  const kept: Record<string, Json> = {}
  await judgeRubric(rubric).annotate(
    {
      maxPromptTokens: 10_000,
      counter: estimatingCounter,
      random: () => () => 0,
      async ask({ key, messages }) {
        asked.push({ key, messages })
        return answers[asked.length - 1] ?? ''
      },
      async keep(key, value) {
        kept[key] = value
      },
    },
    { ...attemptOf(tree, { source: 'run-1', episode: 'ep-0000000' }), end: 'end-1' },
  )
  return { asked, kept }
}

test('the judge sees the task, the path to the answer and the rubric, and no reward', async () => {
  const [message] = await askByRubric(tree, rubric, 10_000)
  const text = message?.content ?? ''
  expect(text).toContain(`<<<\n${rubric}\n>>>`)
  for (const action of ['cut', 'press', 'craft']) expect(text).toContain(`Action: wood ${action}`)
  for (const action of ['burn', 'sell', 'carve']) expect(text).not.toContain(`wood ${action}`)
  expect(text).not.toMatch(/reward|success/i)
})

test('a path that is too long loses its oldest turns, which is said', async () => {
  const whole = await askByRubric(tree, 'Short.', 10_000)
  const cut = await askByRubric(tree, 'Short.', estimatingCounter.ofPrompt(whole) - 1)
  expect(cut[0]?.content).toContain('1 turns are left out here')
  expect(cut[0]?.content).toContain('Action: wood craft')
})

test.each([
  ['Reasons: It looked.\nScore: 7', { value: 0.7, note: 'It looked.' }],
  ['Score: 7.5', { value: 0.75, note: '' }],
  ['**Reasons:** fine\n**Score:** 10/10', { value: 1, note: 'fine' }],
  ['Score: 3\nOn second thought:\nscore: 4 out of 10.', { value: 0.4 }],
  ['Score: 0', { value: 0 }],
  ['Score: 11', null],
  ['Score: 70/100', null],
  ['Score: high', null],
  ['I would give it 7.', null],
  ['', null],
])('%j is read as %j', (answer, expected) => {
  const read = readRubricScore(answer)
  if (expected === null) expect(read).toBeNull()
  else expect(read).toMatchObject(expected)
})

test('whatever a judge writes, its value is from 0 to 1 or it has none', () => {
  fc.assert(
    fc.property(fc.string(), fc.double({ noNaN: true }), (words, score) => {
      const read = readRubricScore(`${words}\nScore: ${score}`)
      if (read === null) return
      expect(read.value).toBeGreaterThanOrEqual(0)
      expect(read.value).toBeLessThanOrEqual(1)
    }),
  )
})

test('an answer that cannot be read is asked for once more, and then is an error', async () => {
  const readable = await annotate(['Reasons: so.\nScore: 8'])
  expect(readable.kept).toEqual({ end: 'end-1', judged: { value: 0.8, note: 'so.' } })
  expect(readable.asked.map(({ key }) => key)).toEqual(['rubric'])

  const second = await annotate(['It is good.', 'Score: 2'])
  expect(second.kept.judged).toEqual({ value: 0.2, note: '' })
  expect(second.asked.map(({ key }) => key)).toEqual(['rubric', 'rubric/again'])
  expect(second.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])

  const never = await annotate(['It is good.', 'Still good.'])
  expect(never.kept.judged).toEqual({ error: expect.stringContaining('"Still good."') })
})

test('the simulated model grades in the form that is asked for, whatever the rubric says of forms', async () => {
  const answer = answerQuestion(await askByRubric(tree, rubric, 10_000), 1, () => 0.5) ?? ''
  expect(readRubricScore(answer)).not.toBeNull()
})
