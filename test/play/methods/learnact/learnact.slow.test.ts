import { expect, test } from 'vitest'
import { learnact } from '../../../../shared/play/methods/learnact/learnact.ts'
import { observationText } from '../../../../shared/play/search/conversation.ts'
import { createCorridor } from '../corridor.ts'
import { type Played, playMethod } from '../play-method.ts'
import { calls, jump, learned, learning, walk } from './learning.ts'
import { block } from './scripted-learner.ts'

/** The evaluations: by the label that each began with, what was done and whether it was valid. */
const played = ({ tree }: Played) =>
  tree
    .children(tree.root)
    .slice(1)
    .map((begun) => {
      const steps = []
      for (let at = begun; at.children.length > 0; at = steps.at(-1) as typeof at) {
        steps.push(...tree.children(at))
      }
      return [begun.action, ...steps.map(({ action, valid }) => `${action} ${valid ? 'ok' : 'failed'}`)]
    })

test('actions that end well are learned as they are, with what they scored', async () => {
  const came = await playMethod(learning({ create: [block(`${walk}\n\nwalk(1)`)], act: calls }))
  expect(came.outcome).toEqual({ type: 'ended', limit: null })
  expect(learned(came)).toEqual([
    {
      name: 'walk',
      group: 'any',
      parameters: ['count'],
      description: 'Goes some way.',
      code: walk,
      usage: 'At 0. Goal: 1.\n\nAction: walk(2)\nObservation: At 2.',
      notes: [],
      // Section 3.3: success 3/3, step accuracy 3/3, and 3 calls that ended well in 3 steps.
      scores: { score: 3, success: 1, step_accuracy: 1, call_ratio: 1 },
      lineage: [{ round: 0, candidate: 0, change: 'created', reason: null }],
    },
  ])
  expect(played(came)).toEqual([
    ['Begin goal-1 with candidate 0 of round 0', 'walk(1) ok'],
    ['Begin goal-2 with candidate 0 of round 0', 'walk(2) ok'],
    ['Begin goal-3 with candidate 0 of round 0', 'walk(3) ok'],
  ])
})

test('the agent is shown the functions, and an example that uses them', async () => {
  const { requests } = await playMethod(learning({ create: [block(walk)], act: calls }))
  const system = requests.find(({ messages }) => messages[0]?.content.includes('Answer with one action'))
    ?.messages[0]?.content
  expect(system).toContain('- walk(count): Goes some way.')
  expect(system).toContain('At 0. Goal: 1.\n\nAction: walk(2)\nObservation: At 2.')
})

test('a function that fails is updated, and the better set is learned', async () => {
  const came = await playMethod(
    learning({
      create: [block(jump)],
      revise: [`Reason: Nobody can jump.\nDecision: update walk\n${block(walk)}`],
      act: calls,
    }),
  )
  expect(learned(came)).toMatchObject([
    {
      name: 'walk',
      code: walk,
      scores: { score: 3 },
      lineage: [
        { round: 0, candidate: 0, change: 'created', reason: null },
        { round: 1, candidate: 1, change: 'updated', reason: 'Nobody can jump.' },
      ],
    },
  ])
  expect(played(came).slice(3)).toEqual([
    // The best set stays as it is beside its revision.
    ['Begin goal-1 with candidate 0 of round 1', 'walk(1) failed', 'walk(1) failed'],
    ['Begin goal-2 with candidate 0 of round 1', 'walk(2) failed', 'walk(2) failed'],
    ['Begin goal-3 with candidate 0 of round 1', 'walk(3) failed', 'walk(3) failed'],
    ['Begin goal-1 with candidate 1 of round 1', 'walk(1) ok'],
    ['Begin goal-2 with candidate 1 of round 1', 'walk(2) ok'],
    ['Begin goal-3 with candidate 1 of round 1', 'walk(3) ok'],
  ])
})

test('a revision is asked for with the first call that failed, and what it had done', async () => {
  const { requests } = await playMethod(
    learning({
      create: [block(jump)],
      act: ({ turn, goal }) => (turn === 0 ? 'look' : `walk(${goal})`),
      revise: ['Decision: note walk\nNote: Do not.'],
    }),
  )
  const asked = requests.map(({ messages }) => messages.at(-1)?.content ?? '')
  expect(asked.find((content) => content.includes('Why did it fail?'))).toContain(`The agent played this task:
--- Environment, start
At 0. Goal: 1.
--- Agent, turn 1
Action: look
--- Environment, turn 1
At 0.

Then it called:
walk(1)
which failed: The call failed and changed nothing: Nothing happens.
The actions that the function took:
Action: look
Observation: At 0.
Action: jump
Observation: Nothing happens.
`)
})

test('a function that is called wrongly gets a note, which the agent is shown', async () => {
  const came = await playMethod(
    learning({
      create: [block(walk)],
      revise: ['Reason: No count.\nDecision: note walk\nNote: Say how far.'],
      act: ({ system, goal }) => (system.includes('Heed: Say how far.') ? `walk(${goal})` : 'walk()'),
    }),
  )
  expect(learned(came)).toMatchObject([
    {
      code: walk,
      notes: ['Say how far.'],
      scores: { score: 3 },
      lineage: [{ change: 'created' }, { round: 1, candidate: 1, change: 'noted', reason: 'No count.' }],
    },
  ])
})

test('an update may add functions, and takes the notes of those that it replaces', async () => {
  const back = 'function back(count) { for (let step = 0; step < count; step += 1) act("back") }'
  const came = await playMethod(
    learning(
      {
        create: [block(`${jump}\n${back}`)],
        revise: [
          'Decision: note walk\nNote: Say how far.',
          `Decision: update walk\n${block(`${walk}\nfunction turn() { act("look") }`)}`,
        ],
        act: ({ system, goal }) => (system.includes('turn(): ') ? `walk(${goal})` : 'walk()'),
        describe: 'Description: New.',
      },
      { score: 'success_accuracy' },
    ),
  )
  // The note changes nothing, so that the unchanged set of round 1 is the first of equals, and it is revised once more.
  expect(learned(came).map(({ name, notes, code, lineage }) => [name, notes, code, lineage.length])).toEqual([
    ['walk', [], walk, 2],
    ['back', [], back, 1],
    ['turn', [], 'function turn() { act("look") }', 1],
  ])
  expect(learned(came)[0]?.scores?.score).toBe(2)
})

test('without an improvement the first set is learned, after as many rounds as there are', async () => {
  const came = await playMethod(
    learning(
      { create: [block(jump)], revise: [`Decision: update walk\n${block(jump)}`], act: calls },
      { rounds: 2 },
    ),
  )
  expect(learned(came)).toMatchObject([
    { code: jump, scores: { score: 0 }, lineage: [{ change: 'created' }] },
  ])
  expect(played(came)).toHaveLength(3 + 6 + 6)
})

test('where no revision can be made, the best set so far is learned', async () => {
  const came = await playMethod(learning({ create: [block(jump)], revise: ['No idea.'], act: calls }))
  expect(came.outcome).toEqual({ type: 'ended', limit: null })
  expect(learned(came)).toHaveLength(1)
  expect(played(came)).toHaveLength(3)
  expect(came.tree.unread).toBe(3)
})

test('of several sets the best is learned, and those that cannot be made are left out', async () => {
  const came = await playMethod(
    learning({ create: [block(jump), 'No code.', block(walk)], act: calls }, { candidates: 3, tries: 2 }),
  )
  expect(learned(came)).toMatchObject([{ code: walk, lineage: [{ candidate: 2, change: 'created' }] }])
  expect(played(came)).toHaveLength(6)
  expect(came.tree.unread).toBe(2)
})

test.each([
  ['nothing that is code', 'No.', 'There is no ```js block in the answer.'],
  ['a syntax error', block('function walk( {'), 'Unexpected token'],
  ['no function', block('act("forward")'), 'It declares no function at its top.'],
  [
    'a name that JavaScript has',
    block('function Math() { act("look") }'),
    'The name "Math" is JavaScript\'s own',
  ],
  ['a name that programs act by', block('function act() {}'), 'hides what programs act by'],
  ['a call that throws', block(`${walk}\nact("look")\nmissing()`), 'missing'],
  [
    'a function that needs more than functions',
    block('const way = "forward"\nfunction go() { act(way) }\ngo()'),
    'way',
  ],
  ['a call that never ends', block(`${walk}\nfor (;;) {}`), 'too long'],
])('functions with %s are written again, with the error shown', async (_, first, error) => {
  const told: string[] = []
  const came = await playMethod(
    learning({
      create: [first],
      again(problem) {
        told.push(problem)
        return block(walk)
      },
      act: calls,
    }),
  )
  expect(told).toEqual([expect.stringContaining(error)])
  expect(learned(came)).toMatchObject([{ code: walk }])
})

test('functions are tried where the task begins, every time, and nothing of it stays; a refused action is no error', async () => {
  const seen: string[] = []
  const came = await playMethod({
    ...learning({
      create: [block(`${walk}\nconst at = act("look")\nact("forward")\nthrow new Error(at)`)],
      again(problem) {
        seen.push(problem)
        return seen.length < 3
          ? block(`${walk}\nconst at = act("look")\nthrow new Error(at)`)
          : block(`${walk}\nact("fly")`)
      },
      act: calls,
    }),
    training: ['goal-2', 'goal-3'],
  })
  expect(seen).toEqual(['At 0.', 'At 0.', 'At 0.'])
  expect(learned(came)).toHaveLength(1)
  expect(came.tree.unread).toBe(0)
  const [tried] = came.tree.children(came.tree.root)
  expect(tried?.children).toEqual([])
  expect(observationText(tried?.observation ?? [])).toBe('At 0. Goal: 2.')
})

test('where no functions can be run at all, the episode ends with an error that says what to do', async () => {
  const { outcome } = await playMethod(learning({ create: ['No.'], act: calls }, { candidates: 2, tries: 3 }))
  expect(outcome).toMatchObject({ type: 'failed', error: { name: 'NothingLearned' } })
  expect(outcome.type === 'failed' && String(outcome.error)).toContain('roles.learner')
})

test('answers that cannot be read leave a set out: without a description there is none', async () => {
  const { outcome, tree } = await playMethod(
    learning({ create: [block(walk)], describe: 'It walks.', act: calls }, { candidates: 2 }),
  )
  expect(outcome).toMatchObject({ type: 'failed', error: { name: 'NothingLearned' } })
  expect(tree.unread).toBe(4)
})

test('ALFWorld is scored without step accuracy unless the run says otherwise', async () => {
  const script = { create: [block(walk)], act: calls }
  const environment = { ...createCorridor(), id: 'alfworld' }
  const own = learned(await playMethod({ ...learning(script), environment }))
  expect(own[0]?.scores?.score).toBe(2)
  const named = learned(
    await playMethod({ ...learning(script, { score: 'success_accuracy_calls' }), environment }),
  )
  expect(named[0]?.scores?.score).toBe(3)
})

const asked = ({ requests }: Played, part: string): string =>
  requests.map(({ messages }) => messages.at(-1)?.content ?? '').find((content) => content.includes(part)) ??
  ''

test('functions, descriptions, uses and revisions are each asked for with an example of another world', async () => {
  const came = await playMethod(
    learning({ create: [block(jump)], revise: ['Decision: note walk\nNote: Walk slowly.'], act: calls }),
  )
  for (const part of [
    'Write several functions',
    'Description: <',
    'Show how an agent does',
    'Why did it fail?',
  ]) {
    expect(asked(came, part)).toContain('bringCrates(crates, from, to)')
  }
  const revision = asked(came, 'Why did it fail?')
  expect(revision).toContain('Decision: update bringCrates')
  expect(revision).toContain('Decision: note bringCrates')
})

test.each([
  [{}, 'whatever else is useful'],
  [{ variant: 'free' }, 'whatever else is useful'],
  [{ variant: 'structured' }, 'that serve all similar tasks'],
  [{ variant: 'decompose' }, 'can be taken apart into'],
])('functions are asked for in the variant of %j', async (parameters, words) => {
  const came = await playMethod(learning({ create: [block(walk)], act: calls }, parameters))
  expect(asked(came, 'Write several functions')).toContain(words)
})

test('what LearnAct’s scripts choose by environment is what a run records', () => {
  const parameters = learnact.parameters.parse({})
  expect(learnact.derived?.(parameters, 'alfworld')).toEqual({ score: 'success_calls', variant: 'decompose' })
  expect(learnact.derived?.(parameters, 'pddl')).toEqual({ score: 'success_accuracy_calls', variant: 'free' })
})

test('lists are arguments, and the agent sees it', async () => {
  const walkAll =
    'function walk(counts) {\n  for (const count of counts) for (let step = 0; step < count; step += 1) act("forward")\n}'
  const came = await playMethod(
    learning({ create: [block(walkAll)], act: ({ goal }) => `walk([1, ${goal - 1}])` }),
  )
  expect(played(came)).toContainEqual(['Begin goal-3 with candidate 0 of round 0', 'walk([1, 2]) ok'])
  const system = came.requests.find(({ messages }) => messages[0]?.content.includes('Answer with one action'))
  expect(system?.messages[0]?.content).toContain(
    'numbers, or lists of these, as in: Action: name("first", ["second", "third"])',
  )
})
