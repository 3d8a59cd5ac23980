import { describe, expect, test } from 'vitest'
import { alignedRows, isDifference, titleOf } from '../../../../web/pages/compare-episodes/aligned-rows.ts'
import type { PathTurn } from '../../../../web/tree/path-turns.ts'

function turn(action: string, shown: string, facts: Partial<PathTurn> = {}): PathTurn {
  return { node: 1, action, said: action, shown, pictures: [], outcome: [], notes: [], ...facts }
}

describe('the rows of two trajectories', () => {
  const titlesOf = (left: PathTurn[], right: PathTurn[]) => alignedRows(left, right).map(titleOf)

  test('say what differs, in words', () => {
    const left = [
      turn('look', 'a room'),
      turn('take cup', 'taken'),
      turn('drop', 'done', { outcome: ['reward 1.00'] }),
    ]
    const right = [turn('look', 'a hall'), turn('take mug', 'what?'), turn('drop', 'done'), turn('wait', '')]
    expect(titlesOf(left, right)).toEqual([
      'Step 1: different observation',
      'Step 2: different action, observation',
      'Step 3: different result',
      'Step 4 of the right alone',
    ])
    expect(titlesOf([...left, turn('wait', ''), turn('end', '')], right).at(-1)).toBe(
      'Step 5 of the left alone',
    )
  })

  test('are equal where only the words of the model differ, and not where pictures do', () => {
    const said = [turn('look', 'a room', { said: 'I look.\nlook' })]
    expect(alignedRows(said, [turn('look', 'a room')]).some(isDifference)).toBe(false)
    const pictured = (digest: string) => [turn('look', '[image/png]', { pictures: [digest] })]
    expect(titlesOf(pictured('a'), pictured('b'))).toEqual(['Step 1: different pictures'])
    expect(alignedRows(pictured('a'), pictured('a')).some(isDifference)).toBe(false)
  })

  test('take what was said for the action where none could be read', () => {
    const [row] = alignedRows([turn('', 'what?', { said: 'Hm.' })], [turn('', 'what?', { said: 'Oh.' })])
    expect(row && titleOf(row)).toBe('Step 1: different action')
  })
})
