import { describe, expect, test } from 'vitest'
import { exploration } from '../../../../shared/data/datasets/kinds/exploration/exploration.ts'
import { explorationParameters } from '../../../../shared/data/datasets/kinds/exploration/exploration-parameters.ts'
import { parseAnswer } from '../../../../shared/play/methods/parse-answer.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { openAnnotationEngine } from '../open-annotation-engine.ts'
import {
  annotated,
  answersOf,
  type FoundConversation,
  findingsOf,
  rowsOf,
  simulated,
} from './made-attempt.ts'
import { type Line, searched, verdict } from './scripted-journal.ts'

const lines: readonly Line[] = [
  { take: 'a' },
  { verdicts: [verdict('D', 'One.'), verdict('D', 'Two.'), verdict('D', 'One.')], of: 1 },
  { value: 0.2, of: 1 },
  { take: 'b' },
  { verdicts: [verdict('C', 'Three.')], of: 2 },
  { value: 0.5, of: 2 },
  { take: 'c', from: 2, reward: 1 },
  { value: 1, of: 3 },
  { commit: 2 },
  { commit: 3 },
]

const textsOf = async (attempt: Parameters<typeof rowsOf>[0], given: object) =>
  answersOf((await rowsOf(attempt, given)).at(-1) as FoundConversation)

describe('choosing by a model', () => {
  const given = { choose: 'model' }

  test('asks where several different reasons were given, about the state and what is done there', async () => {
    const prompts: string[] = []
    const attempt = await annotated(searched({ lines }), given, (_, prompt) => {
      prompts.push(prompt)
      return 'Reason: it fits.\n**Option:** B'
    })
    expect(attempt.asked).toEqual(['choose/1'])
    expect(prompts[0]).toContain('It stands here:\n<<<\nsaw a\n>>>')
    expect(prompts[0]).toContain('Action: undo 1\n>>>')
    expect(prompts[0]).toContain('A) One.\nB) Two.\n\n')
    expect((await textsOf(attempt, given))[1]).toMatch(/^Thought: Taking stock: Two\. I do not go on/)
    expect(attempt.kept.get('turn/1')).toMatchObject({ chosen: 1, rewrite: 'not_asked' })
    // No model was asked where there is one reason, or none.
    expect((await textsOf(attempt, given)).slice(2)).toEqual([
      'Thought: try b.\nAction: b',
      'Thought: Taking stock: Three. try c.\nAction: c',
    ])
  })

  test.each(['', 'Option: C', 'Option: All of them', 'Two.'])(
    'falls back to the nearest verdict where the answer is "%s"',
    async (answer) => {
      const attempt = await annotated(searched({ lines }), given, () => answer)
      expect(await textsOf(attempt, given)).toEqual(await textsOf(searched({ lines }), {}))
      expect(attempt.kept.get('turn/1')).toMatchObject({ chosen: null })
    },
  )

  test('offers eleven reasons at most', async () => {
    const many = Array.from({ length: 20 }, (_, at) => verdict('D', `Reason ${at}.`))
    const changed = lines.map((line) =>
      'verdicts' in line && line.of === 1 ? { ...line, verdicts: many } : line,
    )
    const attempt = await annotated(searched({ lines: changed }), given, (_, prompt) => {
      expect(prompt).toContain('K) Reason 10.')
      expect(prompt).not.toContain('Reason 11.')
      return 'OPTION: (K)'
    })
    expect(attempt.kept.get('turn/1')).toMatchObject({ chosen: 10 })
  })
})

describe('rewriting by a model', () => {
  const given = { rewrite: 'model' }

  test('takes a turn with the same action, and keeps the others as they are', async () => {
    const attempt = await annotated(searched({ lines }), given, (key) =>
      key === 'rewrite/1' ? ' Thought: That led nowhere.\nAction: undo 1\n' : 'Thought: On.\nAction: d',
    )
    // The first turn, and the one that nothing was added to, are the policy's own.
    expect(attempt.asked).toEqual(['rewrite/1', 'rewrite/3'])
    expect(await textsOf(attempt, given)).toEqual([
      'Thought: try a.\nAction: a',
      'Thought: That led nowhere.\nAction: undo 1',
      'Thought: try b.\nAction: b',
      'Thought: Taking stock: Three. try c.\nAction: c',
    ])
    expect([...attempt.kept.values()].map((kept) => (kept as { rewrite: string }).rewrite)).toEqual(
      expect.arrayContaining(['not_asked', 'taken', 'kept']),
    )
  })

  test.each(['', 'Action: c', 'Thought: c', 'Thought: On.\nAction: c now', 'Thought: On.\nAction: C'])(
    'keeps the turn where the model writes "%s"',
    async (answer) => {
      const attempt = await annotated(searched({ lines }), given, () => answer)
      expect(await textsOf(attempt, given)).toEqual(await textsOf(searched({ lines }), {}))
    },
  )

  test('asks nothing of a turn that has no form', async () => {
    const bare = lines.map((line) => ('take' in line && line.take === 'c' ? { ...line, message: 'c' } : line))
    const attempt = await annotated(searched({ lines: bare }), given, () => 'Thought: On.\nAction: c')
    expect(attempt.asked).toEqual(['rewrite/1'])
  })
})

test('a model is asked only where the parameters say so', () => {
  const annotatorOf = (given: object) => exploration.annotator?.(explorationParameters.parse(given)) ?? null
  expect(annotatorOf({})).toBeNull()
  expect(annotatorOf({ choose: 'model' })?.id).toBe('word-turns')
  expect(annotatorOf({ rewrite: 'model' })?.id).toBe('word-turns')
  expect(annotatorOf({ choose: 'model', rewrite: 'model', imitation: true })).toBeNull()
})

test('nothing is asked about an attempt that gives no row', async () => {
  const failed = searched({ lines }, { success: false, status: 'failed' })
  const attempt = await annotated(failed, { choose: 'model', rewrite: 'model' }, () => 'Option: A')
  expect([attempt.asked, attempt.kept.size]).toEqual([[], 0])
})

test('an attempt that the model was not asked about, or not to its end, is left out', async () => {
  const given = { choose: 'model' }
  expect(await findingsOf(searched({ lines }), given)).toMatchObject([{ left_out: 'not_asked' }])
  const attempt = await annotated(searched({ lines }), given, () => 'Option: A')
  attempt.kept.delete('turn/3')
  expect(await findingsOf(attempt, given)).toMatchObject([{ left_out: 'not_asked' }])
})

test('in an annotation run, every question is asked once, and its rows say the same actions', async () => {
  const given = { choose: 'model', rewrite: 'model' }
  const attempt = searched({ lines })
  const { runs, annotations, start } = openAnnotationEngine({
    world: await openTestWorld(),
    attempts: { open: async () => attempt },
    model: simulated(1),
    request: { kind: 'exploration', parameters: given },
  })
  await start()
  const id = await annotations.start({
    dataset: 'dataset-06c5k8q2xg-4hj7k2mn',
    attempts: [{ source: 'import-1', episode: 'ep-0000000' }],
  })
  while ((await annotations.state(id)).status === 'going')
    await new Promise((resolve) => setTimeout(resolve, 5))
  const kept = await annotations.read(id, 0)
  const asked = [...new Map(kept ?? []).keys()].filter((key) => !key.startsWith('turn/'))
  expect(asked.toSorted()).toEqual(['choose/1', 'rewrite/1', 'rewrite/3'])
  expect(await runs.get(id)).toMatchObject({ status: 'succeeded', usage: { model_calls: asked.length } })
  const voiced = await textsOf({ ...attempt, annotation: async () => kept }, given)
  const plain = await textsOf(attempt, {})
  expect(voiced).not.toEqual(plain)
  const actionsOf = (texts: readonly string[]) => texts.map((text) => parseAnswer(text).action)
  expect(actionsOf(voiced)).toEqual(actionsOf(plain))
})
