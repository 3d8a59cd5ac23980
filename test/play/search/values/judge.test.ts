import { expect, test } from 'vitest'
import { committedEffects, journalRecords, playOnce, summarise } from '../../../support/play-once.ts'
import { trace } from '../../../support/scripted-episode.ts'
import { ended, valueOnce } from './value-once.ts'

const method = { value: 'judge', rubric: false, verdicts: 4 }
const status = (grade: string) => `Thoughts: t\nStatus code: ${grade}`

test('a judge’s value is the mean of its verdicts, asked for in one call', async () => {
  // A 1, B 0.9, C 0.5, D 0.2, E 0 (ExACT, its code: CoTwRubricValueFunction).
  const { calls, lines } = await valueOnce(method, ({ way }) =>
    (way === 'a' ? ['B', 'B', 'C', 'D'] : ['A', 'A', 'A', 'C']).map(status),
  )
  expect(lines).toEqual([
    'took a',
    'a is worth 0.625',
    'goes a',
    'took a/b',
    'a/b is worth 0.875',
    'goes a/b',
  ])
  expect(calls.map(({ request, way }) => [way, request.n])).toEqual([
    ['a', 4],
    ['a/b', 4],
  ])
})

test('twenty verdicts are asked for unless a run says otherwise', async () => {
  const { calls } = await valueOnce({ value: 'judge', rubric: false }, () => status('C'))
  expect(calls[0]?.request.n).toBe(20)
})

test('a judge is shown the instructions of the agent, all that it did and all that came of it, and not the reward', async () => {
  const { calls } = await valueOnce(method, () => status('C'))
  const [system, question] = calls[1]?.request.messages ?? []
  expect(system?.role).toBe('system')
  expect(system?.content).toContain('<<<\nDo as you are told.\n>>>')
  expect(question?.content).toContain(
    `--- Environment, start
start
--- Agent, turn 1
Thought: t
Action: a
--- Environment, turn 1
saw a
--- Agent, turn 2
Thought: t
Action: b
--- Environment, turn 2
saw a/b

Where does the task stand after the last turn?`,
  )
  expect(calls[1]?.request.messages).toHaveLength(2)
})

test('a rubric is written once for a task, before anything is judged, and every verdict heeds it', async () => {
  const { calls, lines } = await valueOnce({ ...method, rubric: true }, ({ question }) =>
    question.includes('Which checks') ? 'Checks:\n1. It says done.' : status('C'),
  )
  expect(calls.map(({ question }) => question.includes('Which checks'))).toEqual([true, false, false])
  expect(calls[0]?.question).toContain('--- Environment, start\nstart\n\nNothing has been done yet.')
  expect(calls[0]?.request.n).toBe(1)
  for (const { question } of calls.slice(1)) {
    expect(question).toContain('\n\nCheck these before you decide:\n1. It says done.\n\nWhere does')
  }
  expect(lines).toContain('a/b is worth 0.5')
})

test('verdicts that cannot be read are asked for again, and counted; those that could be read are kept', async () => {
  const { calls, lines, options, outcome } = await valueOnce(method, ({ way, request: { n } }) => {
    if (way !== 'a') return status('E')
    // 4 are wanted: B and three that say nothing; then 3: C, and two; then 2: E, and nothing.
    if (n === 4) return [status('B'), 'I cannot tell.', '', status('A or B')]
    return n === 3 ? [status('C'), 'no', 'no'] : [status('E'), 'no']
  })
  expect(outcome).toEqual(ended)
  expect(calls.slice(0, 3).map(({ request }) => request.n)).toEqual([4, 3, 2])
  // (0.9 + 0.5 + 0) / 3, of the three that could be read.
  expect(lines.slice(0, 5)).toEqual([
    'took a',
    '3 unread',
    '2 unread',
    '1 unread',
    `a is worth ${(0.9 + 0.5 + 0) / 3}`,
  ])
  expect((await summarise(options))?.unparsable).toBe(6)
  expect(await committedEffects(options)).toEqual(
    expect.arrayContaining([
      'node/1/value/verdicts',
      'node/1/value/verdicts/again/1',
      'node/1/value/verdicts/again/2',
    ]),
  )
})

test('each time it is asked, the seed is another, so that it can answer otherwise', async () => {
  const { calls } = await valueOnce(method, ({ way, request: { n } }) =>
    way === 'a' && n === 4 ? ['?', '?', '?', status('E')] : status('E'),
  )
  expect(new Set(calls.map(({ request }) => request.seed)).size).toBe(calls.length)
})

test('a judge that never answers in the form ends the attempt with an error, and gives no value', async () => {
  const { calls, lines, options, outcome } = await valueOnce(method, () => 'Looks fine to me.')
  expect(outcome).toMatchObject({
    type: 'failed',
    error: {
      name: 'UnreadableAnswers',
      message: expect.stringMatching(/role "value" was asked 3 times.*"Looks fine to me\."/),
    },
  })
  expect(calls).toHaveLength(3)
  expect(lines.some((line) => line.includes('worth'))).toBe(false)
  const before = await journalRecords(options)

  // Taken up again it says the same, without a call.
  const { outcome: again } = await playOnce({ ...options, writer: 'second' })
  expect(again).toMatchObject({ type: 'failed', error: { name: 'UnreadableAnswers' } })
  expect(await journalRecords(options)).toEqual(before)
  expect(await trace(options)).toEqual(lines)
})

test('a rubric without checks is asked for again, and in the end is an error', async () => {
  const { outcome, calls } = await valueOnce({ ...method, rubric: true }, () => 'Checks:')
  expect(outcome).toMatchObject({ type: 'failed', error: { name: 'UnreadableAnswers' } })
  expect(calls).toHaveLength(3)
})

test('a judge can grade on another scale, where failure is below nothing', async () => {
  const { lines } = await valueOnce({ ...method, scale: 'desktop' }, ({ way }) =>
    status(way === 'a' ? 'D' : 'E'),
  )
  expect(lines).toContain('a is worth -0.2')
  expect(lines).toContain('a/b is worth -1')
})
