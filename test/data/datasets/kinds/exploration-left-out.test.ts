import { describe, expect, test } from 'vitest'
import { attemptOf } from '../../../builders/attempts.ts'
import { findingsOf, rowsOf } from './made-attempt.ts'
import { type Line, searched } from './scripted-journal.ts'
import { conversation, last, twoSteps } from './two-steps.ts'

describe('what gives no row says why', () => {
  const reasonOf = async (attempt: Parameters<typeof findingsOf>[0], given: object = {}) =>
    (await findingsOf(attempt, given)).map((found) => ('left_out' in found ? found.left_out : 'row'))

  test('by its result', async () => {
    const failed = { success: false, reward: 0.5, status: 'failed' as const }
    const attempt = (rest: object) => searched({ lines: twoSteps }, rest)
    expect(await reasonOf(attempt(failed))).toEqual(['failed'])
    expect(await reasonOf(attempt({ ...failed, status: 'limited' }))).toEqual(['limited'])
    expect(await reasonOf(attempt({ ...failed, reward: null, status: 'limited' }))).toEqual(['limited'])
    expect(await reasonOf(attempt(failed), { min_reward: 0.6 })).toEqual(['below_min_reward'])
    expect(await reasonOf(attempt({ ...failed, reward: null }), { min_reward: 0 })).toEqual(['no_reward'])
    expect(await rowsOf(attempt(failed), { min_reward: 0.5 })).toHaveLength(6)
  })

  test('where the episode was no search', async () => {
    const path = twoSteps.filter((line) => !('value' in line))
    expect(await reasonOf(searched({ lines: path }))).toEqual(['no_search'])
    const search = searched({ lines: twoSteps })
    expect(await reasonOf(attemptOf(await search.tree()))).toEqual(['no_search'])
  })

  test('where it went straight to its answer, if only steps back are wanted', async () => {
    const lines: Line[] = [{ take: 'a', reward: 1 }, { value: 1, of: 1 }, { commit: 1 }]
    expect(await reasonOf(searched({ lines }), { examples: 'backtracking' })).toEqual(['no_detour'])
    expect(await reasonOf(searched({ lines }))).toEqual(['row'])
    expect(await rowsOf(searched({ lines: twoSteps }), { examples: 'backtracking' })).toHaveLength(6)
  })

  test('where the answer is the start, or a picture was shown on the way', async () => {
    const lines: Line[] = [{ take: 'a' }, { value: 1, of: 1 }]
    const nowhere = searched({ lines }, { success: true, reward: 1, status: 'succeeded' })
    expect(await reasonOf(nowhere)).toEqual(['no_model_message'])
    const seen = twoSteps.map((line) =>
      'take' in line && line.take === 'b' ? { ...line, picture: true as const } : line,
    )
    expect(await reasonOf(searched({ lines: seen }))).toEqual(['not_text'])
    // After the last answer nothing is shown any more.
    const end = twoSteps.map((line) =>
      'take' in line && line.take === 'd' ? { ...line, picture: true as const } : line,
    )
    expect(await rowsOf(searched({ lines: end }))).toHaveLength(6)
  })

  test('attempt by attempt, in their order', async () => {
    const found = await findingsOf([
      searched({ lines: twoSteps }, { success: false, status: 'failed', episode: 'one' }),
      searched({ lines: twoSteps }, { episode: 'two' }),
      searched({ lines: twoSteps.filter((line) => !('value' in line)) }, { episode: 'three' }),
    ])
    expect(found.map((each) => ('left_out' in each ? each.attempt : each.origin.attempt).episode)).toEqual([
      ...['one', 'two', 'two', 'two', 'two', 'two', 'two', 'three'],
    ])
  })
})

test('imitation is the answer’s path of the same episodes, as it was played', async () => {
  const rows = await rowsOf(searched({ lines: twoSteps }), { imitation: true, rewrite: 'model' })
  expect(rows).toHaveLength(2)
  expect(conversation(last(rows))).toEqual([
    'system: You craft items.',
    'user: start',
    'assistant: Thought: try b.\nAction: b',
    'user: saw b',
    'assistant: Thought: try d.\nAction: d',
  ])
  expect(last(rows).origin.node_ids).toEqual([2, 5])
  // What is too long with its detours is in neither.
  expect(await findingsOf(searched({ lines: twoSteps }), { imitation: true, max_turns: 11 })).toMatchObject([
    { left_out: 'too_long' },
  ])
})

test('a restore action says where it goes, in one line', async () => {
  const attempt = searched({ lines: twoSteps })
  for (const restore_action of [
    'undo',
    'undo {{step}}',
    'undo {{steps}} {{goal}}',
    ' undo {{steps}}',
    'undo\n{{steps}}',
  ]) {
    await expect(findingsOf(attempt, { restore_action })).rejects.toThrow(/restore_action/)
  }
})
