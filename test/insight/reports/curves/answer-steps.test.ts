import { describe, expect, test } from 'vitest'
import { answerAt, readAnswerSteps } from '../../../../shared/insight/reports/curves/answer-steps.ts'
import { open, rewarded, step, used } from '../../../builders/journals.ts'

describe('an episode stopped after some calls', () => {
  const journal = [
    open(),
    used(),
    step,
    rewarded(0, 0.25),
    used(),
    rewarded(0, 0.25),
    used(),
    rewarded(1, 1),
    used(),
    rewarded(1, 0),
  ]

  test('has the answer that its tree had by then', () => {
    const found = readAnswerSteps(journal, 'calls')
    expect(found).toEqual({
      steps: [
        { spent: 1, reward: 0.25, success: false },
        { spent: 3, reward: 1, success: true },
      ],
      first: 1,
      total: 4,
    })
    if (found === null) throw new Error('There is a tree.')
    expect([0, 1, 2, 3, 9].map((budget) => answerAt(found, budget).reward)).toEqual([0, 0.25, 0.25, 1, 1])
    expect(answerAt(found, 2.9).success).toBe(false)
  })

  test('is looked at by tokens and by money alike', () => {
    expect(readAnswerSteps(journal, 'tokens')?.steps.map(({ spent }) => spent)).toEqual([100, 300])
    expect(readAnswerSteps(journal, 'cost')).toMatchObject({ first: 0.01, total: 0.04 })
  })

  test('may lose what it had: the answer of a single path is where it stands', () => {
    const path = [open({ answer: 'last' }), used(), rewarded(0, 0.5), used(), rewarded(1, 0)]
    expect(readAnswerSteps(path, 'calls')?.steps).toEqual([
      { spent: 1, reward: 0.5, success: false },
      { spent: 2, reward: 0, success: false },
    ])
  })

  test('has the reward that the method had committed to, not the best it saw', () => {
    const commit = { entry: { commit: { node: 2 } } }
    const committing = [
      open({ answer: 'committed' }),
      used(),
      rewarded(0, 1),
      rewarded(0, 0.5),
      used(),
      commit,
    ]
    expect(readAnswerSteps(committing, 'calls')?.steps).toEqual([{ spent: 2, reward: 0.5, success: false }])
  })

  test('counts a call that gave several choices as many calls as it took', () => {
    const several = [open(), used({ model_calls: 4 }), rewarded(0, 1)]
    expect(readAnswerSteps(several, 'calls')).toMatchObject({ first: 4, total: 4, steps: [{ spent: 4 }] })
  })

  test('has no known money where a price is missing, and no tree where nothing was opened', () => {
    expect(readAnswerSteps([open(), used({ cost: null }), rewarded(0, 1)], 'cost')).toBeNull()
    expect(readAnswerSteps([used()], 'calls')).toBeNull()
  })
})
