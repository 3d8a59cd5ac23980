import { expect, test } from 'vitest'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { nodeDetailSchema } from '../../../shared/core/contracts/node-detail.ts'
import type { RunRequest } from '../../../shared/core/contracts/run.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { call, node, once, open, segment, text } from '../../builders/journals.ts'
import { inspectJournal } from './inspect-journal.ts'

const grade = (letter: string) => `Thoughts: so it is.\nStatus code: ${letter}`

async function look(records: JournalRecord[], index: number, method: object = { id: 'mcts' }) {
  const inspection = inspectJournal({ records, request: { method: method as RunRequest['method'] } })
  const detail = await inspection.node('run', 'ep-0000000', index)
  return nodeDetailSchema.parse(detail)
}

test('the prompt is the messages of the request, word for word', async () => {
  const messages = [
    { role: 'system' as const, content: 'Rules.\u0000 <b>&amp;</b>' },
    { role: 'user' as const, content: '\u202eAt 0.' },
  ]
  const records = [segment(1), open(), ...call('node/0/sample/0', { messages }), node()]
  const { proposal, usage } = await look(records, 1)
  expect(proposal).toEqual({
    key: 'node/0/sample/0',
    asked: 'policy',
    model: 'test/model',
    messages,
    answers: ['Action: forward'],
    endings: [{ finish_reason: 'stop', fault: null }],
    usage: once,
  })
  expect(usage.model_calls).toBe(0)
  expect((await look(records, 0)).expansions).toEqual([proposal])
})

test('a later call of an answer of several has the proposal of the first', async () => {
  const effect = 'node/0/sample/0'
  const records = [open(), ...call(effect), node(), node({ parent: 1, effect: `${effect}/call/1` })]
  const [first, second] = [await look(records, 1), await look(records, 2)]
  expect(first.proposal?.key).toBe(effect)
  expect(second.proposal).toEqual(first.proposal)
})

test('each answer says how it ended, as far as the journal does, and what is wrong with it', async () => {
  const records = [
    open(),
    ...call('node/0/plan/0/proposals', { answers: ['Action: a', 'Hm.', ''], n: 3 }),
    node(),
  ]
  const cut = records.map((record) =>
    'effect' in record
      ? {
          ...record,
          result: {
            choices: [
              { content: 'Action: a', finish_reason: 'stop' },
              { content: 'Thought: I', finish_reason: 'length' },
              { content: 'No.', refused: true },
            ],
          },
        }
      : record,
  )
  const endings = async (of: typeof records) => (await look(of, 0)).expansions[0]?.endings
  expect(await endings(cut)).toEqual([
    { finish_reason: 'stop', fault: null },
    { finish_reason: 'length', fault: 'cut' },
    { finish_reason: null, fault: 'refused' },
  ])
})

test('of a call with several answers, the one that led to a node is its message', async () => {
  const answers = ['Action: back', 'Action: forward']
  const effect = 'node/0/plan/0/proposals/choice/1'
  const records = [open(), ...call('node/0/plan/0/proposals', { answers, n: 2 }), node({ effect })]
  const { node: shown, proposal } = await look(records, 1)
  expect(proposal?.answers.indexOf(shown.message ?? '')).toBe(1)
})

test('verdicts that cannot be read have no value, and those that were asked for again count', async () => {
  const records = [
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call('node/1/value/verdicts', {
      role: 'value',
      n: 3,
      answers: [grade('A'), 'Who knows.', grade('C')],
    }),
    ...call('node/1/value/verdicts/again/1', { role: 'value', answers: [grade('E')] }),
  ]
  const { judgement, usage } = await look(records, 1)
  expect(judgement?.votes.map(({ value }) => value)).toEqual([1, null, 0.5, 0])
  expect(judgement?.value).toBe(0.5)
  expect(judgement?.calls.map(({ key }) => key)).toEqual([
    'node/1/value/verdicts',
    'node/1/value/verdicts/again/1',
  ])
  expect(usage.model_calls).toBe(2)
})

test('a state has no value as long as verdicts are to come', async () => {
  const asked = (n: number) => [
    open(),
    ...call('node/0/value/support', { role: 'debate', answers: ['Opinion: Good.'] }),
    ...call('node/0/value/oppose', { role: 'debate', answers: ['Opinion: Bad.'] }),
    ...call('node/0/value/verdicts/support-first', { role: 'value', n, answers: [grade('A')] }),
  ]
  const half = (await look(asked(1), 0)).judgement
  expect(half).toMatchObject({ value: null, debate: { support: 'Good.', oppose: 'Bad.' }, checks: null })
  const second = call('node/0/value/verdicts/oppose-first', { role: 'value', answers: [grade('E')] })
  expect((await look([...asked(2), ...second], 0)).judgement?.value).toBeNull()
  expect((await look([...asked(1), ...second], 0)).judgement).toMatchObject({
    value: 0,
    votes: [{ value: 1 }, { value: -1 }],
  })
})

test('verdicts are worth what the run says', async () => {
  const records = [open(), ...call('node/0/value/verdicts', { role: 'value', answers: [grade('B')] })]
  const valueBy = async (method: object) => (await look(records, 0, method)).judgement?.value
  expect(await valueBy({ id: 'mcts', value: 'judge' })).toBe(0.9)
  expect(await valueBy({ id: 'mcts', value: 'judge', scale: 'desktop' })).toBe(0.5)
  expect(await valueBy({ id: 'mcts', value: 'judge', scale: 'toString' })).toBe(0.9)
})

test('a trained model gives a value without verdicts, clipped as the search clips it', async () => {
  const settings = { role: 'value', endpoint: 'test', id: 'scorer' }
  const records: JournalRecord[] = [
    open(),
    { request: 'r', value: { messages: [], settings } },
    { effect: 'node/0/value/score', request: 'r', result: 1.5, usage: once },
  ]
  expect((await look(records, 0)).judgement).toMatchObject({
    value: 1,
    votes: [],
    calls: [{ answers: ['1.5'] }],
  })
})

test('what a judge checks is shown for every state that it judged; writing it down is about the task', async () => {
  const records = [
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call('value/checks', { role: 'value', answers: ['Hm.'] }),
    ...call('value/checks/again/1', { role: 'value', answers: ['Checks: Is it done?'] }),
    ...call('node/1/value/verdicts', { role: 'value', answers: [grade('A')] }),
  ]
  expect((await look(records, 1)).judgement?.checks).toBe('Is it done?')
  expect((await look(records, 0)).others.map(({ key }) => key)).toEqual([
    'value/checks',
    'value/checks/again/1',
  ])
})

test('reflections are about the node that they are on, and what needs no node about the root', async () => {
  const records = [
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call('reflect/policy/1/expectation', { role: 'reflection' }),
    ...call('reflect/value/1', { role: 'reflection' }),
    { effect: 'remember/reflect/policy/1/embedding', request: 'none', result: [], usage: once },
    ...call('create/0/functions', { role: 'learner' }),
    ...call('program/0'),
  ]
  expect((await look(records, 1)).others.map(({ key, asked }) => [key, asked])).toEqual([
    ['reflect/policy/1/expectation', 'reflection'],
    ['reflect/value/1', 'reflection'],
    ['remember/reflect/policy/1/embedding', 'embedding'],
  ])
  const root = await look(records, 0)
  expect(root.others.map(({ key }) => key)).toEqual(['create/0/functions'])
  expect(root.expansions.map(({ key }) => key)).toEqual(['node/0/sample/0', 'program/0'])
})

test('a note on an attempt is about where the attempt ended', async () => {
  const records = [
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call('node/1/sample/0'),
    node({ parent: 1, effect: 'node/1/sample/0' }),
    ...call('note/0', { role: 'reflection' }),
    ...call('node/0/sample/1'),
    node({ effect: 'node/0/sample/1' }),
    ...call('note/1', { role: 'reflection' }),
    ...call('note/7', { role: 'reflection' }),
  ]
  const notesOf = async (index: number) => (await look(records, index)).others.map(({ key }) => key)
  expect(await notesOf(2)).toEqual(['note/0'])
  expect(await notesOf(3)).toEqual(['note/1'])
  expect(await notesOf(0)).toEqual(['note/7'])
})

test('a note on an attempt that ended in the calls of one answer is about the last of them', async () => {
  const asked = 'node/1/sample/0'
  const records = [
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call(asked),
    node({ parent: 1, effect: asked }),
    node({ parent: 2, effect: `${asked}/call/1` }),
    node({ parent: 3, effect: `${asked}/call/2` }),
    ...call('note/0', { role: 'reflection' }),
  ]
  expect((await look(records, 4)).others.map(({ key }) => key)).toEqual(['note/0'])
})

test('notes are shown where they were looked up, and those for a whole episode wherever a model acted', async () => {
  const note: MemoryNote = {
    id: 'ep-0000001/reflect/policy/4',
    side: 'policy',
    group: null,
    episode: 'ep-0000001',
    task: 'goal-2',
    objective: '',
    observation: '',
    action: null,
    note: 'Look first.',
    surprise: null,
    embedding: null,
  }
  const found = [{ ...note, score: 0.4 }]
  const records: JournalRecord[] = [
    open(),
    { effect: 'known', request: 'k', result: { notes: [{ ...note, side: 'task' }], actions: [] } as never },
    { effect: 'recall/policy/0', request: 'q', result: found as never },
    ...call('node/0/sample/0'),
    node(),
  ]
  const used = { id: note.id, run: 'run', episode: note.episode, task: note.task, note: note.note }
  expect((await look(records, 0)).notes).toEqual([
    { ...used, side: 'task', similarity: null },
    { ...used, side: 'policy', similarity: 0.4 },
  ])
  expect((await look(records, 1)).notes).toEqual([])
})

test('a journal of another version answers all the same, and no call is lost', async () => {
  const records: JournalRecord[] = [
    segment(1),
    open(),
    ...call('node/0/sample/0'),
    node(),
    ...call('node/1/value/oracle', { role: 'value' }),
    ...call('node/1/doubt', { role: 'critic' }),
    ...call('node/99/value/verdicts', { role: 'value' }),
    ...call('reflect/policy/99', { role: 'reflection' }),
    ...call('whatever'),
    { effect: 'node/1/look', request: 'gone', result: 'text', usage: once },
    { effect: 'recall/policy/1', request: 'gone', result: { not: 'a list' } },
    { effect: 'known', request: 'gone', result: 7 },
    { effect: 'node/1/value/verdicts', request: 'gone', result: null, usage: once },
    { request: 'odd', value: { settings: [1, 2] } },
    { effect: 'node/1/sample/0/step', request: 'odd', result: { reward: 0 } },
    { entry: { unheard: 'of' } },
  ]
  const [root, first] = [await look(records, 0), await look(records, 1)]
  expect(first.judgement).toMatchObject({ value: null, votes: [], debate: null })
  expect(first.judgement?.calls.map(({ key }) => key)).toEqual([
    'node/1/value/oracle',
    'node/1/value/verdicts',
  ])
  expect(first.others.map(({ key, model }) => [key, model])).toEqual([
    ['node/1/doubt', 'test/model'],
    ['node/1/look', null],
  ])
  expect(root.others.map(({ key }) => key)).toEqual(['node/99/value/verdicts', 'reflect/policy/99'])
  expect(root.expansions.map(({ key }) => key)).toEqual(['node/0/sample/0', 'whatever'])
  const effects = records.filter((record) => 'effect' in record && record.usage)
  expect(root.usage.model_calls + first.usage.model_calls).toBe(effects.length)
})

test('blobs are given an address, and nothing else is signed than what names one', async () => {
  const signed: string[] = []
  const digest = 'ab'.repeat(32)
  const parts = [
    { type: 'blob' as const, sha256: digest, media_type: 'image/png' },
    { type: 'blob' as const, sha256: '../runs/other/run.json', media_type: 'image/png' },
    { type: 'blob' as const, sha256: digest.toUpperCase(), media_type: 'text/html' },
    { type: 'blob' as const, sha256: `${digest}/x`, media_type: 'image/png' },
    ...text('beside it'),
  ]
  const inspection = inspectJournal({ records: [open({ observation: parts })], signed })
  const { observation } = nodeDetailSchema.parse(await inspection.node('run', 'ep-0000000', 0))
  expect(signed).toEqual([`blobs/${digest}`])
  expect(observation.map((part) => ('url' in part ? part.url : part.text))).toEqual([
    `/signed/blobs/${digest}`,
    null,
    null,
    null,
    'beside it',
  ])
})

test.each([
  [1, 'It has 1 node: 0.'],
  [7, 'It has 1 node: 0.'],
])('a tree without node %i says which it has', async (index, says) => {
  await expect(look([open()], index)).rejects.toMatchObject({
    code: 'not_found',
    param: 'node',
    message: expect.stringContaining(says),
  })
})

test('an episode without a tree has neither nodes nor growth', async () => {
  const inspection = inspectJournal({ records: [segment(1), ...call('judge/3', { role: 'verifier' })] })
  const refused = { code: 'not_found', param: 'episode' }
  await expect(inspection.node('run', 'ep-0000000', 0)).rejects.toMatchObject(refused)
  await expect(inspection.growth('run', 'ep-0000000')).rejects.toMatchObject(refused)
})
