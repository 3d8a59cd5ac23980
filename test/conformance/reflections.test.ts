import { describe, expect, test } from 'vitest'
import { comparedWords, embeddedText } from '../../shared/play/methods/memory/episode-memory.ts'
import {
  type CommittedStep,
  mostSurprising,
  policySurprise,
  valueSurprise,
} from '../../shared/play/methods/rmcts/surprise.ts'
import { ReflectionIndex } from '../../shared/play/search/reflection-index.ts'

/*
 * ExACT's retrieval of reflections and its choice of what to reflect on. There is no recording of either: the tables were
 * worked out by hand from the formulas of its code, which each of them states.
 */

describe('retrieval', () => {
  // A vector store over unit vectors gives the squared distance d = 2 − 2 · cos; relevance is 1 − d = 2 · cos − 1.
  const table = [
    { cosine: 1, relevance: 1, kept: [true, true, true] },
    { cosine: 0.96, relevance: 0.92, kept: [true, true, true] },
    { cosine: 0.84, relevance: 0.68, kept: [true, true, false] },
    { cosine: 0.8, relevance: 0.6, kept: [true, true, false] },
    { cosine: 0.7, relevance: 0.4, kept: [true, false, false] },
    { cosine: 0.6, relevance: 0.2, kept: [false, false, false] },
    { cosine: 0.28, relevance: -0.44, kept: [false, false, false] },
    { cosine: 0, relevance: -1, kept: [false, false, false] },
    { cosine: -1, relevance: -3, kept: [false, false, false] },
  ]
  // `min_retrieval_score` of the VisualWebArena arguments, of the OSWorld base shell, and of the OSWorld shell.
  const thresholds = [0.25, 0.5, 0.7]

  const search = (cosine: number, least: number) =>
    new ReflectionIndex([
      { text: 'note', embedding: { model: 'm', vector: [3 * cosine, 3 * Math.sqrt(1 - cosine ** 2)] } },
    ]).search({ text: 'query', embedding: { model: 'm', vector: [5, 0] }, most: 1, least })

  test.each(table)(
    'vectors with a cosine of $cosine have a relevance of $relevance',
    ({ cosine, relevance, kept }) => {
      expect(search(cosine, -3)[0]?.score).toBeCloseTo(relevance, 12)
      expect(thresholds.map((least) => search(cosine, least).length === 1)).toEqual(kept)
    },
  )

  test('thresholds of 0.25, 0.5 and 0.7 are cosines of 0.625, 0.75 and 0.85', () => {
    for (const [least, cosine] of [
      [0.25, 0.625],
      [0.5, 0.75],
      [0.7, 0.85],
    ] as const) {
      expect(search(cosine + 1e-9, least)).toHaveLength(1)
      expect(search(cosine - 1e-9, least)).toHaveLength(0)
    }
  })

  test('task and observation are embedded with their labels, and compared by words without', () => {
    const situation = { objective: 'Buy a mug.', observation: '[3] [BUTTON] [Add to cart]\n[4] [A] [Home]' }
    expect(embeddedText(situation)).toBe(
      'Task: Buy a mug.\nObservation:\n[3] [BUTTON] [Add to cart]\n[4] [A] [Home]',
    )
    expect(comparedWords(situation)).toBe('Buy a mug.\n[3] [BUTTON] [Add to cart]\n[4] [A] [Home]')
  })
})

describe('choice of what is reflected on', () => {
  const step = ([q, next_value, isParsed = true]: [number, number, boolean?]): CommittedStep => ({
    q,
    next_value,
    reflectable: isParsed,
  })

  // The policy's error of action i is |V_next(i) − Q(i)|, the last V_next being the final score; −∞ of an unparsable answer. The
  // greatest is taken, while it is not below the threshold, up to the most that are wanted.
  test.each([
    {
      of: 'a failure whose second action promised most',
      steps: [
        [0.5, 0.4],
        [0.45, 0.9],
        [0.8, 0.7],
      ] as [number, number][],
      score: 0,
      threshold: 0.1,
      most: 3,
      // |0.4 − 0.5| = 0.1, |0.9 − 0.45| = 0.45, |0 − 0.8| = 0.8
      chosen: [
        [2, 0.8],
        [1, 0.45],
        [0, 0.1],
      ],
    },
    {
      of: 'a success, with a higher threshold',
      steps: [
        [0.5, 0.4],
        [0.45, 0.9],
        [0.8, 0.7],
      ] as [number, number][],
      score: 1,
      threshold: 0.25,
      most: 4,
      // 0.1, 0.45, |1 − 0.8| = 0.2
      chosen: [[1, 0.45]],
    },
    {
      of: 'an unparsable answer, which is passed however far off it was',
      steps: [
        [0.5, 0.4],
        [0.1, 1, false],
        [0.8, 0.7],
      ] as [number, number, boolean?][],
      score: 0,
      threshold: 0.1,
      most: 2,
      chosen: [
        [2, 0.8],
        [0, 0.1],
      ],
    },
    {
      of: 'OSWorld, whose failure is −1',
      steps: [
        [-0.2, 0.5],
        [0.5, 0.2],
      ] as [number, number][],
      score: -1,
      threshold: 0.25,
      most: 3,
      // |0.5 + 0.2| = 0.7, |−1 − 0.5| = 1.5
      chosen: [
        [1, 1.5],
        [0, 0.7],
      ],
    },
  ])('policy: $of', ({ steps, score, threshold, most, chosen }) => {
    const picked = mostSurprising(policySurprise(steps.map(step), score), {
      threshold: threshold - 1e-12,
      most,
    })
    expect(picked.map(({ step, surprise }) => [step, Number(surprise.toFixed(9))])).toEqual(chosen)
  })

  test('policy, with |Q| added: what was expected of an action counts beside how it came', () => {
    // |V_next − Q| + |Q|: 0.1 + 0.5, 0.45 + 0.45, |0 − 0.8| + 0.8; of a negative Q its size: |0.5 + 0.2| + 0.2.
    const error = (steps: [number, number][], score: number) =>
      policySurprise(steps.map(step), score, 'unexpected_and_absq').map((each) => Number(each?.toFixed(9)))
    expect(
      error(
        [
          [0.5, 0.4],
          [0.45, 0.9],
          [0.8, 0.7],
        ],
        0,
      ),
    ).toEqual([0.6, 0.9, 1.6])
    expect(
      error(
        [
          [-0.2, 0.5],
          [0.5, 0.2],
        ],
        -1,
      ),
    ).toEqual([0.9, 2])
  })

  // The value function's error of state i is |V_next(i) − Q(i + 1)|, with the final score behind the last Q.
  test('value function: against what the search found later', () => {
    const steps = [
      [0.5, 0.4],
      [0.45, 0.9],
      [0.8, 0.7],
    ] as [number, number][]
    // |0.4 − 0.45| = 0.05, |0.9 − 0.8| = 0.1, |0.7 − 0| = 0.7, of a debate |0.7 + 1| = 1.7
    const error = (score: number) =>
      valueSurprise(steps.map(step), score).map((each) => Number(each?.toFixed(9)))
    expect(error(0)).toEqual([0.05, 0.1, 0.7])
    expect(error(-1)).toEqual([0.05, 0.1, 1.7])
  })
})
