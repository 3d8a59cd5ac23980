import { expect, test } from 'vitest'
import { reflexion } from '../../../../shared/play/methods/reflexion/reflexion.ts'
import type { ChatRequest } from '../../../../shared/play/models/chat-model.ts'
import { createCorridor } from '../corridor.ts'
import { type PlayedMethod, playKilled, playMethod } from '../play-method.ts'

const system = ({ messages }: ChatRequest) => messages[0]?.content ?? ''
const asksForNote = (request: ChatRequest) => system(request).startsWith('You help an agent learn')

/** Looks around until it has seen `needed` notes; then it goes forward. */
const slowLearner =
  (needed: number) =>
  (request: ChatRequest): string => {
    if (asksForNote(request)) return `Let me think.\nNote: Lesson\nnumber ${countNotes(request) + 1}.`
    const told = [...system(request).matchAll(/Lesson/g)].length
    return `Thought: I go.\nAction: ${told >= needed ? 'forward' : 'look'}`
  }

const countNotes = ({ messages }: ChatRequest) => messages[1]?.content.match(/^- Lesson/gm)?.length ?? 0

function learning(answer: PlayedMethod<object>['answer'], parameters: object = {}) {
  return {
    method: reflexion,
    environment: createCorridor(),
    training: ['goal-1', 'goal-2', 'goal-3'],
    parameters: { train_steps: 4, ...parameters },
    answer,
  }
}

const notesOf = ({ entries }: { entries: readonly object[] }) =>
  entries.flatMap((entry) => ('note' in entry ? [entry.note as { note: string; observation: string }] : []))

test('the first training task that fails gives a note, and all are played again with it', async () => {
  const played = await playMethod(learning(slowLearner(1)))
  expect(played.outcome).toEqual({ type: 'ended', limit: null })
  expect(notesOf(played)).toEqual([
    {
      id: 'ep-0000000/note/0',
      side: 'task',
      group: 'any',
      episode: 'ep-0000000',
      task: 'goal-3',
      objective: 'reach the goal',
      observation: 'At 0. Goal: 1.',
      action: null,
      note: 'Lesson number 1.',
      surprise: null,
      embedding: null,
    },
  ])
  // Three tasks of four steps that fail, and then three that take 1, 2 and 3.
  expect(played.requests.filter((request) => !asksForNote(request))).toHaveLength(12 + 6)
  expect(system(played.requests.at(-1) as ChatRequest)).toContain('- Lesson number 1.')
})

test('the note is asked for with the attempt, and with what the agent had been shown', async () => {
  const { requests } = await playMethod(learning(slowLearner(9)))
  const [first, second] = requests.filter(asksForNote).map(({ messages }) => messages[1]?.content ?? '')
  expect(first).toContain('--- Environment, start\nAt 0. Goal: 1.')
  expect(first).toContain('--- Agent, turn 4\nThought: I go.\nAction: look')
  expect(first).not.toContain('told to heed')
  expect(second).toContain('It had been told to heed this:\n- Lesson number 1.')
})

test('no more notes are written than the parameter says, and none where nothing fails', async () => {
  expect(notesOf(await playMethod(learning(slowLearner(9))))).toHaveLength(2)
  expect(notesOf(await playMethod(learning(slowLearner(9), { notes: 3 })))).toHaveLength(3)
  expect(notesOf(await playMethod(learning(slowLearner(0))))).toEqual([])
})

test('the task itself is played once, with the notes that there are', async () => {
  const { tree, requests } = await playMethod({
    method: reflexion,
    environment: createCorridor(),
    notes: ['Lesson of others.'],
    answer: slowLearner(1),
  })
  expect(tree.isSolved).toBe(true)
  expect(requests).toHaveLength(3)
})

test('with retry, a task that failed is tried again with notes on its own failures, until it is solved', async () => {
  const { tree, requests, entries } = await playMethod({
    method: reflexion,
    environment: createCorridor(),
    parameters: { retry: 4, max_steps: 3 },
    answer: slowLearner(2),
  })
  expect(tree.isSolved).toBe(true)
  expect(tree.nodes).toHaveLength(1 + 3 * 3)
  expect(tree.best.index).toBe(9)
  expect(tree.root.children).toEqual([1, 4, 7])
  expect(requests.filter(asksForNote)).toHaveLength(2)
  expect(notesOf({ entries })).toEqual([])
})

test('with retry, the last try is the answer where none is solved, and only the latest notes are shown', async () => {
  const { tree, requests } = await playMethod({
    method: reflexion,
    environment: createCorridor(),
    parameters: { retry: 3, max_steps: 1, notes: 1 },
    answer: slowLearner(2),
  })
  expect(tree.isSolved).toBe(false)
  expect(tree.best.index).toBe(4)
  const told = requests.filter((request) => !asksForNote(request)).map((request) => system(request))
  expect(told.map((text) => text.match(/Lesson/g)?.length ?? 0)).toEqual([0, 1, 1, 1])
})

test('a note that cannot be read is left out, counted, and costs no result', async () => {
  const played = await playMethod(
    learning((request) => (asksForNote(request) ? 'Be careful!' : 'Action: look')),
  )
  expect(played.outcome).toEqual({ type: 'ended', limit: null })
  expect(notesOf(played)).toEqual([])
  expect(played.tree.unread).toBe(3)
})

test('a killed episode goes on and leaves the same notes, in whatever order answers come', async () => {
  const { whole, resumed } = await playKilled({
    ...learning(slowLearner(1), { train_steps: 2, notes: 1 }),
    delay: 4,
  })
  expect(notesOf(whole)).toHaveLength(1)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})
