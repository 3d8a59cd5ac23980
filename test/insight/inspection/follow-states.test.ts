import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import type { StatesOf, TaskStates } from '../../../shared/insight/inspection/task-states.ts'
import { node, open } from '../../builders/journals.ts'
import { inspectJournal } from './inspect-journal.ts'

/** A walk; its state is known by where it stands. */
const walking: TaskStates = {
  reset: () => ({ at: 0 }),
  step: ({ at }, action) => ({ at: Number(at) + (action === 'forward' ? 1 : -1) }),
  hash: ({ at }) => `at ${at}`,
}

function look(records: JournalRecord[], index: number, statesOf: StatesOf = async () => walking) {
  return inspectJournal({ records, statesOf }).node('run', 'ep-0000000', index)
}

const start = open({ state_hash: 'at 0' })
const step = (action: string, parent: number, at: number, more = {}) =>
  node({ action, parent, state_hash: `at ${at}`, ...more })

test('states are those of the path, and changes those of the last step', async () => {
  const records = [start, step('forward', 0, 1), step('back', 0, -1), step('forward', 1, 2)]
  expect(await look(records, 0)).toMatchObject({ state: { at: 0 }, state_changes: null, state_note: null })
  expect(await look(records, 2)).toMatchObject({ state: { at: -1 }, state_note: null })
  expect(await look(records, 3)).toMatchObject({
    state: { at: 2 },
    state_changes: [{ type: 'changed', path: ['at'], before: 1, after: 2 }],
  })
})

test('an action of several steps takes them all; a call that failed and changed nothing, none', async () => {
  const took = (...actions: string[]) => ({
    primitives: actions.map((action) => ({ action, observation: '', reward: 0, valid: true })),
  })
  const records = [
    start,
    step('walk(2)', 0, 2, took('forward', 'forward')),
    step('walk(9)', 1, 2, { ...took('forward', 'forward'), valid: false }),
    step('forward', 2, 3),
  ]
  expect(await look(records, 1)).toMatchObject({ state: { at: 2 } })
  expect(await look(records, 2)).toMatchObject({ state: { at: 2 }, state_changes: [] })
  expect(await look(records, 3)).toMatchObject({ state: { at: 3 } })
})

test('an episode that learns has the states of the tasks that it began', async () => {
  const asked: string[] = []
  const statesOf: StatesOf = async ({ task }) => {
    asked.push(task)
    return walking
  }
  const begin = (action: string, effect: string) =>
    node({ action, effect, state_hash: 'at 0', primitives: [] })
  const records = [
    open({ task: 'learn:walks' }),
    begin('Begin a task with spaces with 2 notes', 'session/0'),
    step('forward', 1, 1),
    begin('Begin goal-2 with candidate 1 of round 0', 'session/1'),
    begin('Begin goal-3 to try functions', 'session/2'),
  ]
  expect(await look(records, 0, statesOf)).toMatchObject({ state: null, state_note: expect.any(String) })
  expect(await look(records, 1, statesOf)).toMatchObject({ state: { at: 0 }, state_changes: null })
  expect(await look(records, 2, statesOf)).toMatchObject({ state: { at: 1 } })
  await look(records, 3, statesOf)
  await look(records, 4, statesOf)
  expect(asked).toEqual(['a task with spaces', 'a task with spaces', 'goal-2', 'goal-3'])
})

const failing = (): never => {
  throw new Error('No such place.')
}

test.each<[string, JournalRecord, StatesOf, string]>([
  ['is not what it was', open({ state_hash: 'at 5' }), async () => walking, 'not the same any more'],
  ['has no state hash', open(), async () => walking, 'gives no state hash'],
  ['cannot be played here', start, async () => ({ why: 'It runs elsewhere.' }), 'It runs elsewhere.'],
  ['fails', start, async () => ({ ...walking, reset: failing }), 'No such place.'],
])('where the environment %s, the state is not shown, and it is said why', async (_, root, statesOf, why) => {
  expect(await look([root], 0, statesOf)).toMatchObject({
    state: null,
    state_changes: null,
    state_note: expect.stringContaining(why),
  })
})

test('what is asked for is the task of the run, over its data and with its seed', async () => {
  let asked: JsonObject = {}
  const statesOf: StatesOf = async ({ environment, data, seed, task }) => {
    asked = { environment, data: data ?? null, seed, task }
    return walking
  }
  const request = { environment: 'corridor', data: 'abc', seed: 7 }
  await inspectJournal({ records: [start], request, statesOf }).node('run', 'ep-0000000', 0)
  expect(asked).toEqual({ ...request, task: 'goal-3' })
})
