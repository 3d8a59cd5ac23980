import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AnswerCounts,
  addAnswers,
  noTally,
  subtractAnswers,
} from '../../../shared/core/contracts/answers.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { faultOf, type JournalAnswer, judgeAnswers } from '../../../shared/play/search/answer-faults.ts'

const policy = { role: 'policy', cut_pairs: 0 }
const program = { role: 'policy' }
const judge = { role: 'value' }

/** A call of a journal with its answers, and the lines that go with it. */
function call(key: string, settings: Json, answers: JournalAnswer[], unread = 0): JournalRecord[] {
  return [
    { request: `of ${key}`, value: { settings } },
    { effect: key, request: `of ${key}`, result: { choices: answers } as unknown as Json },
    ...(unread > 0 ? [{ entry: { unread: { effect: key, answers: unread } } }] : []),
  ]
}

const stop = (content: string): JournalAnswer => ({ content, finish_reason: 'stop' })
const cut = (content: string): JournalAnswer => ({ content, finish_reason: 'length' })

test.each<[string, JournalAnswer, ReturnType<typeof faultOf>]>([
  ['an action', stop('Action: look'), null],
  ['no text', stop(' \n'), 'empty'],
  ['no text at the limit', cut(''), 'cut'],
  ['an action at the limit', cut('Action: look'), 'cut'],
  ['the limit in the words of others', { content: 'a', finish_reason: 'MAX_TOKENS' }, 'cut'],
  ['nothing, by a filter', { content: '', finish_reason: 'content_filter' }, 'filtered'],
  ['a part, by a filter', { content: 'Action: ta', finish_reason: 'content_filter' }, 'filtered'],
  ['a refusal', { content: 'No.', finish_reason: 'stop', refused: true }, 'refused'],
  ['a refusal in the words of others', { content: 'No.', finish_reason: 'refusal' }, 'refused'],
  ['no reason at all', { content: 'Action: look' }, null],
])('an answer of %s', (_what, answer, fault) => {
  expect(faultOf(answer)).toBe(fault)
})

test('counts every answer once, the agent’s and those of roles apart', () => {
  const records = [
    ...call('node/0/a', policy, [stop('Action: a'), cut('Thought: long'), stop(''), stop('I would go.')]),
    ...call('node/1/a', policy, [
      { content: 'No.', refused: true },
      { content: '', finish_reason: 'content_filter' },
    ]),
    ...call('program/0', program, [stop('no block')], 1),
    // Of three that could not be read, one was cut and one empty.
    ...call(
      'node/1/value/verdicts',
      judge,
      [stop('Status code: A'), cut('Thoughts'), stop(''), stop('Hm')],
      3,
    ),
    { request: 'of score', value: { settings: judge } },
    { effect: 'score', request: 'of score', result: 0.5 },
  ]
  const { counts, isUnusable } = judgeAnswers(records)
  const value = { ...noTally, total: 4, cut: 1, empty: 1, unparsable: 1 }
  expect(counts).toEqual({
    total: 11,
    cut: 2,
    empty: 2,
    filtered: 1,
    refused: 1,
    unparsable: 3,
    by_role: { value },
  })
  expect(isUnusable).toBe(false)
})

test.each<[string, JournalRecord[], boolean]>([
  ['all were empty', call('node/0/a', policy, [stop(''), stop(' ')]), true],
  ['all were cut before an action', call('node/0/a', policy, [cut('Thought: I'), cut('')]), true],
  ['one of the cut ones names an action', call('node/0/a', policy, [cut(''), cut('Action: go\nObs')]), false],
  ['all were refused', call('node/0/a', policy, [{ content: 'No.', refused: true }]), false],
  ['all were filtered', call('node/0/a', policy, [{ content: '', finish_reason: 'content_filter' }]), false],
  ['none was in the form', call('node/0/a', policy, [stop('I am sorry.')]), false],
  ['a cut program could not be read', call('program/0', program, [cut('```js\nact(')], 1), true],
  ['a cut program could be read', call('program/0', program, [cut('```js\nact("a")')]), false],
  ['only a judge was asked', call('judge/0', judge, [stop('')], 1), false],
  ['no model was asked', [], false],
])('whether there is nothing to score where %s', (_what, records, isUnusable) => {
  expect(judgeAnswers(records).isUnusable).toBe(isUnusable)
})

const answer = fc.record({
  content: fc.constantFrom('', 'Action: a', 'words'),
  finish_reason: fc.constantFrom('stop', 'length', 'content_filter', null),
  refused: fc.boolean(),
})
const journal = fc
  .array(
    fc.record({
      settings: fc.constantFrom(policy, program, judge, { role: 'debate' }),
      answers: fc.array(answer, { maxLength: 4 }),
      unread: fc.nat(5),
    }),
  )
  .map((calls) =>
    calls.flatMap(({ answers, settings, unread }, at) => call(`${at}`, settings, answers, unread)),
  )

function faultsIn({ total: _total, by_role: _roles, ...faults }: AnswerCounts): number {
  return Object.values(faults).reduce((sum, count) => sum + count, 0)
}

test('answers whose calls were all cut in their arguments are no play to score', () => {
  const offered = { ...policy, tools: [] }
  const calling = (...given: string[]): JournalAnswer => ({
    content: '',
    finish_reason: 'length',
    tool_calls: given.map((text) => ({
      id: '',
      type: 'function',
      function: { name: 'get', arguments: text },
    })),
  })
  const written = (text: string) => cut(`<tool_call>\n${text}`)
  const isUnusable = (...answers: JournalAnswer[]) =>
    judgeAnswers(call('node/0/a', offered, answers)).isUnusable
  expect(isUnusable(calling('{"item": "lo'), calling(''), written('{"name": "get", "arg'))).toBe(true)
  expect(isUnusable(calling('{"item": "lo'), calling('{}', '{"it'))).toBe(false)
  expect(isUnusable(written('{"name": "get", "arguments": {}}'))).toBe(false)
})

test('no answer counts under two faults, whatever a journal holds', () => {
  fc.assert(
    fc.property(journal, (records) => {
      const { counts } = judgeAnswers(records)
      const answers = records.flatMap((record) =>
        'effect' in record ? (record.result as { choices: unknown[] }).choices : [],
      )
      expect(counts.total).toBe(answers.length)
      for (const tally of [counts, ...Object.values(counts.by_role ?? {})])
        expect(faultsIn(tally)).toBeLessThanOrEqual(tally.total)
    }),
  )
})

test('what is added and taken away again leaves what was there', () => {
  fc.assert(
    fc.property(journal, journal, (one, other) => {
      const [left, right] = [judgeAnswers(one).counts, judgeAnswers(other).counts]
      const { by_role = {}, ...all } = subtractAnswers(addAnswers(left, right), right)
      const { by_role: roles = {}, ...rest } = left
      expect(all).toEqual(rest)
      for (const [role, tally] of Object.entries(by_role))
        expect(tally).toEqual(roles[role as keyof typeof roles] ?? noTally)
    }),
  )
})
