import { expect, test } from 'vitest'
import { episodeCallsSchema } from '../../../shared/core/contracts/episode-calls.ts'
import { call, node, open, segment, step } from '../../builders/journals.ts'
import { inspectJournal } from './inspect-journal.ts'

const system = { role: 'system' as const, content: 'Rules.' }
const user = { role: 'user' as const, content: 'At 0.' }

test('calls have their prompts by position, the moment of their segment and their node', async () => {
  const records = [
    segment(1),
    open(),
    ...call('node/0/sample/0', { messages: [system, user] }),
    node(),
    segment(2),
    step,
    ...call('node/1/value/verdicts', { role: 'value', messages: [user], answers: ['A', 'B'], n: 2 }),
  ]
  const inspection = inspectJournal({ records })
  const listed = episodeCallsSchema.parse(await inspection.calls('run', 'ep-0000000'))
  const prompts = listed.calls.map(({ prompt }) => prompt.map((position) => listed.messages[position]))
  expect(prompts).toEqual([[system, user], [user]])
  expect(listed.calls).toMatchObject([
    { key: 'node/0/sample/0', asked: 'policy', elapsed: 1, at: '2026-11-21T09:00:01.000Z', node: 0 },
    { key: 'node/1/value/verdicts', asked: 'value', elapsed: 2, answers: ['A', 'B'], node: 1 },
  ])
  const shown = await inspection.node('run', 'ep-0000000', 1)
  expect(shown.judgement?.calls[0]?.messages).toEqual(prompts[1])
})

test('a message that several prompts share stands once', async () => {
  const first = call('node/0/sample/0', { messages: [system, user] })
  const again = call('node/0/sample/1').map((line) =>
    'request' in line && 'value' in line
      ? { ...line, value: { ...line.value, messages: ['node/0/sample/0 0', 'node/0/sample/0 1'] } }
      : line,
  )
  const inspection = inspectJournal({ records: [segment(1), open(), ...first, ...again] })
  const { messages, calls } = await inspection.calls('run', 'ep-0000000')
  expect(messages).toEqual([system, user])
  expect(calls.map(({ prompt }) => prompt)).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test('an episode without a tree has its calls, about no node', async () => {
  const inspection = inspectJournal({ records: [segment(1), ...call('step/0', { messages: [user] })] })
  expect((await inspection.calls('run', 'ep-0000000')).calls).toMatchObject([{ node: null, prompt: [0] }])
})
