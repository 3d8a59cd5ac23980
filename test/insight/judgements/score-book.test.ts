import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredJudgement } from '../../../shared/insight/judgements/judgement-store.ts'
import { ScoreBook, ScoreTally } from '../../../shared/insight/judgements/score-book.ts'
import { aJudgement } from './judgement-store-contract.ts'

const version = fc.constantFrom('digest-1', 'digest-2', 'digest-3')
const scorings = fc.array(
  fc.record({
    digest: version,
    value: fc.option(fc.constantFrom(0, 0.25, 0.5, 1)),
    end: fc.constantFrom('end-1', 'end-2'),
    steps: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

// One judgement of each episode, in the order in which the versions made them.
function stored(given: { digest: string; end: string; steps: boolean; value: number | null }[]) {
  return given.map(({ digest, end, steps, value }, index): StoredJudgement => {
    const by = { kind: 'scorer', name: 'short.ts', digest, model: null } as const
    const error = value === null ? 'It threw.' : null
    const at = new Date(1000 * index).toISOString()
    const judgement = aJudgement({ run: 'run-1', episode: `ep-${index}`, by, value, error, end, at })
    return { id: `${index}`, object: 'judgement', ...judgement, node: steps ? 1 : null }
  })
}

test('a score counts the values of the version that judged last and of no other, in any order of reading', () => {
  fc.assert(
    fc.property(scorings, fc.nat(), (given, turn) => {
      const all = stored(given)
      const newest = given.at(-1)?.digest
      const book = new ScoreBook([...all.slice(turn % all.length), ...all.slice(0, turn % all.length)])
      const tally = new ScoreTally()
      for (const [index, { digest, end, steps, value }] of given.entries()) {
        const score = book.at(`ep-${index}`, 'end-1')
        tally.add('task', score)
        const counts = digest === newest && end === 'end-1'
        if (steps) expect(score).toEqual({ without: 'missing' })
        else if (!counts) expect(score).toEqual({ without: 'outdated' })
        else expect(score).toEqual(value === null ? { error: 'It threw.' } : { value })
        const ofSteps = steps && counts && value !== null ? { 1: value } : {}
        expect(book.steps(`ep-${index}`, 'end-1')).toEqual(ofSteps)
      }
      const { errors, missing, outdated, scored } = tally.figures({ kind: 'scorer', name: 'short' }, 't')
      expect(errors + missing + outdated + scored).toBe(given.length)
    }),
  )
})

test('people are no versions of each other: their mean counts, whenever each of them judged', () => {
  const people = ['ada', 'bob'].map((name, index): StoredJudgement => {
    const by = { kind: 'person', name } as const
    const judgement = aJudgement({ run: 'run-1', by, value: index, at: new Date(index).toISOString() })
    return { id: name, object: 'judgement', ...judgement }
  })
  expect(new ScoreBook(people).at('ep-0000000', 'end-1')).toEqual({ value: 0.5 })
})
