import { describe, expect, test } from 'vitest'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import type { MemoryReader } from '../../../shared/core/engine/memories/memory-reader.ts'
import { committedEffects, journalRecords, summarise } from '../../support/play-once.ts'
import { reflectOnce } from './scripted-reflection.ts'

const ids = (notes: readonly MemoryNote[]) => notes.map(({ id }) => id)

describe('which steps are reflected on', () => {
  test('the policy learns from the end that came otherwise than expected, worked by hand', async () => {
    // Q = V_next = B 0.9, C 0.5, D 0.2; their mean is 0.533, not above 0.7: not solved, so the end is worth 0.
    // |V_next − Q|: 0, 0, |0 − 0.2| = 0.2 ≥ 0.1 (ExACT).
    const { notes } = await reflectOnce({
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      reflect_value: false,
    })
    expect(ids(notes)).toEqual(['ep-0000000/reflect/policy/3'])
    expect(notes[0]?.surprise).toBeCloseTo(0.2, 12)
  })

  test('the value function learns from states that were valued otherwise than what was found there', async () => {
    // V_next(i) against Q(i + 1): |0.9 − 0.2| = 0.7, |0.2 − 0.9| = 0.7, |0.9 − 0| = 0.9; the mean of Q is 0.667: not solved.
    // The most surprising first, of equals the earliest, at most two.
    const { notes } = await reflectOnce({
      value: 'debate',
      scale: 'rubric',
      grades: { x: 'B', 'x/x': 'D', 'x/x/x': 'B' },
      reflect_policy: false,
    })
    expect(ids(notes)).toEqual(['ep-0000000/reflect/value/3', 'ep-0000000/reflect/value/1'])
    expect(notes.map(({ surprise }) => Number(surprise?.toFixed(6)))).toEqual([0.9, 0.7])
  })

  test('what was found is on the scale of the value function: a debate’s failure is −1', async () => {
    // Q: 0.7, 0.5, −0.2; not solved. |0.7 − 0.5| = 0.2, |0.5 + 0.2| = 0.7, |−0.2 + 1| = 0.8.
    const { notes, asked } = await reflectOnce({
      value: 'debate',
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      reflect_policy: false,
    })
    expect(notes.map(({ surprise }) => Number(surprise?.toFixed(6)))).toEqual([0.8, 0.7])
    expect(asked[0]?.question).toContain('the value should have been about -1.00')
  })

  test('for the policy a failure on a desktop is −1', async () => {
    // Q: 0.5, 0.2, −0.2; not solved: |−1 + 0.2|.
    const { notes } = await reflectOnce({
      value: 'debate',
      scale: 'desktop',
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      reflect_value: false,
    })
    expect(notes.map(({ surprise }) => Number(surprise?.toFixed(6)))).toEqual([0.8])
  })

  test('for the policy a failure is 0 on the other scales', async () => {
    // Q of the last action is −0.2: |0 + 0.2|, and not |−1 + 0.2|.
    const { notes } = await reflectOnce({
      value: 'debate',
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      reflect_value: false,
    })
    expect(notes.map(({ surprise }) => surprise)).toEqual([0.2])
  })

  test('a task counts as solved by what its actions were expected to be worth, or by the environment', async () => {
    // Q: 0.9, 0.9, 0.5: 0.767 > 0.7, so the end is worth 1; |1 − 0.5| = 0.5.
    const grades = { x: 'B', 'x/x': 'B', 'x/x/x': 'C' }
    const estimated = await reflectOnce({ grades, reflect_value: false })
    expect(estimated.notes.map(({ surprise }) => surprise)).toEqual([0.5])
    expect(estimated.asked[1]?.question).toContain('In the end the task was solved.')
    // The environment paid nothing: |0 − 0.5| = 0.5.
    const told = await reflectOnce({ grades, reflect_value: false, success: 'environment' })
    expect(told.asked[1]?.question).toContain('In the end the task was not solved.')
    // It paid: |1 − 0.2| = 0.8.
    const paid = await reflectOnce({
      grades: { x: 'D', 'x/x': 'D', 'x/x/x': 'D' },
      steps: { 'x/x/x': { done: true, reward: 1 } },
      reflect_value: false,
      success: 'environment',
    })
    expect(paid.notes.map(({ surprise }) => surprise)).toEqual([0.8])
  })

  test('an action that the environment refused is reflected on like any other', async () => {
    // Q: 0.2 each, not solved: |0 − 0.2|.
    const { notes } = await reflectOnce({
      grades: { x: 'D', 'x/x': 'D', 'x/x/x': 'D' },
      steps: { 'x/x/x': { done: true, valid: false } },
      reflect_value: false,
    })
    expect(ids(notes)).toEqual(['ep-0000000/reflect/policy/3'])
  })

  test('an answer that no action could be read from is not reflected on', async () => {
    // Each is worth 0, so that nothing but |Q| = 0 is below any threshold above 0; at 0 only what can be reflected on counts.
    const { notes, asked } = await reflectOnce({
      grades: {},
      says: 'I would rather not.',
      policy_threshold: 0,
      reflect_value: false,
    })
    expect([notes, asked]).toEqual([[], []])
  })

  test('with |Q| added, what much was expected of is reflected on too', async () => {
    // Q = V_next = 0.9, 0.5, 0.2; not solved. 0 + 0.9, 0 + 0.5, |0 − 0.2| + 0.2 = 0.4.
    const { notes } = await reflectOnce({
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      policy_surprise: 'unexpected_and_absq',
      reflect_value: false,
    })
    expect(notes.map(({ surprise }) => Number(surprise?.toFixed(6)))).toEqual([0.9, 0.5, 0.4])
  })

  test('nothing is reflected on that surprised less than the threshold, nor more than so many', async () => {
    const grades = { x: 'B', 'x/x': 'D', 'x/x/x': 'B' }
    const given = { value: 'debate', scale: 'rubric', grades, reflect_policy: false }
    expect((await reflectOnce({ ...given, value_threshold: 0.95 })).notes).toEqual([])
    expect((await reflectOnce({ ...given, value_threshold: 0.8 })).notes).toHaveLength(1)
    expect((await reflectOnce({ ...given, value_notes: 1 })).notes).toHaveLength(1)
    expect((await reflectOnce({ ...given, value_notes: 3 })).notes).toHaveLength(3)
  })

  test('either side can be left out, and both', async () => {
    const given = { value: 'debate', grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' } }
    const sides = async (parameters: object) =>
      (await reflectOnce({ ...given, ...parameters })).notes.map(({ side }) => side)
    // The value function first.
    expect(await sides({})).toEqual(['value', 'value', 'policy'])
    expect(await sides({ reflect_value: false })).toEqual(['policy'])
    expect(await sides({ reflect_policy: false })).toEqual(['value', 'value'])
    expect(await sides({ reflect_policy: false, reflect_value: false })).toEqual([])
  })
})

test('a reflection that cannot be read is left out and counted, and the task keeps its result', async () => {
  const grades = { x: 'D', 'x/x': 'D', 'x/x/x': 'D' }
  const steps = { 'x/x/x': { done: true, reward: 1 } }
  const { notes, options } = await reflectOnce({ grades, steps, success: 'environment', reflects: false })
  expect(notes).toEqual([])
  expect(await summarise(options)).toMatchObject({ reward: 1, success: true, unparsable: 3 })
})

describe('how a reflection is made', () => {
  test('first what was to be expected, without the outcome, and then why it came otherwise', async () => {
    const { asked, notes } = await reflectOnce({
      grades: { x: 'B', 'x/x': 'C', 'x/x/x': 'D' },
      reflect_value: false,
    })
    expect(asked).toHaveLength(2)
    const [expectation, contrast] = asked
    const before = `--- Environment, start
start
--- Agent, turn 1
Thought: t
Action: x
--- Environment, turn 1
saw x
--- Agent, turn 2
Thought: t
Action: x
--- Environment, turn 2
saw x/x`
    expect(expectation?.question).toContain(
      `${before}\n\nNow the agent does this:\nThought: t\nAction: x\n\nWhat`,
    )
    expect(expectation?.question).not.toContain('saw x/x/x')
    expect(contrast?.question).toContain(
      `${before}

Then the agent did this:
Thought: t
Action: x
It was to be expected: Expected after x/x.
Advice: Learned after x/x.
What came of it: saw x/x/x
In the end the task was not solved.`,
    )
    for (const { request } of asked) expect(request.messages[0]?.content).toContain('Do as you are told.')
    expect(notes).toEqual([
      {
        id: 'ep-0000000/reflect/policy/3',
        side: 'policy',
        group: null,
        episode: 'ep-0000000',
        task: 'task',
        objective: 'any',
        observation: 'saw x/x',
        action: 'x',
        note: 'Learned after x/x.',
        surprise: 0.2,
        embedding: null,
      },
    ])
  })

  test('a debate is looked at again with both opinions and what its verdict should have been', async () => {
    const { asked, notes } = await reflectOnce({
      value: 'debate',
      grades: { x: 'B', 'x/x': 'B', 'x/x/x': 'C' },
      success: 'environment',
      reflect_policy: false,
    })
    expect(asked[0]?.question).toContain(`A judge valued this state at 0.50. For it spoke: For x/x/x.
Against it spoke: Against x/x/x.
It came out that the task was not solved: the value should have been about -1.00.`)
    expect(notes.map(({ observation }) => observation)).toEqual(['saw x/x/x'])
  })

  test('a rubric is looked at again with its checks, and found again by how a task begins', async () => {
    const { asked, notes } = await reflectOnce({
      rubric: true,
      grades: { x: 'B', 'x/x': 'B', 'x/x/x': 'B' },
      success: 'environment',
      reflect_policy: false,
    })
    expect(asked[0]?.question).toContain('going by these checks:\n1. It is done.')
    expect(notes.map(({ observation }) => observation)).toEqual(['start'])
  })

  test('of a judge without checks there is nothing to be said', async () => {
    const { asked } = await reflectOnce({
      grades: { x: 'B', 'x/x': 'D', 'x/x/x': 'B' },
      reflect_policy: false,
    })
    expect(asked).toEqual([])
  })
})

/** A memory of notes, the same for every caller. */
function memoryOf(notes: readonly Partial<MemoryNote>[]): MemoryReader {
  const found = notes.map(
    (note, place): MemoryNote => ({
      id: `ep-0000009/${place}`,
      side: 'policy',
      group: null,
      episode: 'ep-0000009',
      task: 'other',
      objective: 'any',
      observation: 'start',
      action: 'go',
      note: `Note ${place}.`,
      surprise: 1,
      embedding: null,
      ...note,
    }),
  )
  return {
    notesOf: async () => found,
    actionsOf: async () => [],
    learned: async () => ({ notes: [], actions: [] }),
  }
}

describe('what earlier tasks taught', () => {
  const given = { grades: { x: 'C', 'x/x': 'C', 'x/x/x': 'C' }, reflect_value: true, value: 'debate' }
  const advice = (...lines: string[]) =>
    `[START OF ADVICE]\nLearned in other tasks; heed it where it applies.\n${lines.join('\n')}\n[END OF ADVICE]`

  test('is shown to the policy with the newest observation where that is alike, the two best notes', async () => {
    const memories = memoryOf([
      { note: 'Less alike.', observation: 'start later' },
      { note: 'Alike.' },
      { note: 'Alike too.', action: null },
      { note: 'For the judge.', side: 'value' },
      { note: 'Elsewhere.', objective: 'quite', observation: 'different' },
    ])
    const { calls, options } = await reflectOnce(given, { memories })
    const first = calls.find(({ role, way }) => role === 'policy' && way === '')
    expect(first?.question).toBe(
      `${advice('(1) Task: any\nAttempted action: go\nLearned: Alike.\n\n(2) Task: any\nLearned: Alike too.')}\n\nstart`,
    )
    // What it was shown stays as it was for later prompts.
    const second = calls.find(({ role, way }) => role === 'policy' && way === 'x')
    expect(second?.request.messages[1]).toEqual({ role: 'user', content: 'start' })
    const found = (await journalRecords(options)).find(
      (record) => 'effect' in record && record.effect === 'recall/policy/0',
    )
    expect(found).toMatchObject({
      result: [
        { note: 'Alike.', score: 1 },
        { note: 'Alike too.', score: 1 },
      ],
    })
  })

  test('is shown to the judge, but not to those who debate, the one best note', async () => {
    const memories = memoryOf([
      { side: 'value', observation: 'saw x', note: 'Judge well.' },
      { side: 'value', observation: 'saw x', note: 'Judge mildly.' },
    ])
    const { calls } = await reflectOnce(given, { memories })
    const verdicts = calls.filter(({ role, way }) => role === 'value' && way === 'x')
    expect(verdicts).toHaveLength(2)
    for (const { question } of verdicts) {
      expect(question).toContain(
        `saw x\n\n${advice('(1) Task: any\nAttempted action: go\nLearned: Judge well.')}\n\nTwo others`,
      )
      expect(question).not.toContain('Judge mildly.')
    }
    for (const { question } of calls.filter(({ role }) => role === 'debate')) {
      expect(question).not.toContain('ADVICE')
    }
  })

  test('is shown to the role that writes a rubric, and only there', async () => {
    const memories = memoryOf([{ side: 'value', note: 'Check the cart.' }])
    const { calls } = await reflectOnce({ ...given, value: 'judge', rubric: true }, { memories })
    const told = calls.filter(({ question }) => question.includes('Check the cart.'))
    expect(told.map(({ question }) => question.includes('Which checks'))).toEqual([true])
  })

  test('is left out where nothing is like it, and no prompt shows a gap', async () => {
    const memories = memoryOf([
      { objective: 'wholly', observation: 'elsewhere' },
      { objective: 'wholly', observation: 'elsewhere', side: 'value' },
    ])
    const { calls } = await reflectOnce(given, { memories })
    for (const { question } of calls) {
      expect(question).not.toContain('ADVICE')
      expect(question).not.toMatch(/\n\n\n/)
    }
  })

  test('is not looked up by a side that does not learn', async () => {
    const { options } = await reflectOnce(
      { ...given, reflect_policy: false, reflect_value: false },
      { memories: memoryOf([{}]) },
    )
    expect((await committedEffects(options)).filter((key) => key.startsWith('recall/'))).toEqual([])
  })

  test('is looked up once at a state, however often a search comes by', async () => {
    const { options } = await reflectOnce({ ...given, iterations: 3 }, { memories: memoryOf([{}]) })
    const looked = (await committedEffects(options)).filter((key) => key.startsWith('recall/policy/'))
    expect(looked.length).toBeGreaterThan(3)
    expect(new Set(looked).size).toBe(looked.length)
  })
})
