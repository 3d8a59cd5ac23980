import { expect, test } from 'vitest'
import { countVotes } from '../../../web/tree/count-votes.ts'
import { groupAnswers } from '../../../web/tree/group-answers.ts'
import { shareColour, valueRange, valueShare } from '../../../web/tree/value-colour.ts'

test('values are seen on the scale of rewards, or on that of debates where one is negative', () => {
  expect(valueRange([0.2, 0.9])).toEqual({ low: 0, high: 1 })
  expect(valueRange([-0.2, 0.9])).toEqual({ low: -1, high: 1 })
  expect(valueRange([-3, 12])).toEqual({ low: -3, high: 12 })
  expect(valueRange([])).toEqual({ low: 0, high: 1 })
})

test('a share grows with the value and never leaves the scale', () => {
  expect([-5, -1, 0, 0.5, 1, 7].map((value) => valueShare({ low: -1, high: 1 }, value))).toEqual([
    0, 0, 0.5, 0.75, 1, 1,
  ])
})

test('the ends and the middle of the scale are the theme’s own colours', () => {
  expect(shareColour(0)).toBe('color-mix(in srgb, var(--value-low) 100%, var(--value-middle))')
  expect(shareColour(0.5)).toBe('color-mix(in srgb, var(--value-high) 0%, var(--value-middle))')
  expect(shareColour(1)).toBe('color-mix(in srgb, var(--value-high) 100%, var(--value-middle))')
})

test('votes are counted by value, those that could not be read last', () => {
  expect(countVotes([0.5, null, 0.7, 0.5, -0.2].map((value) => ({ value })))).toEqual([
    { value: 0.7, count: 1 },
    { value: 0.5, count: 2 },
    { value: -0.2, count: 1 },
    { value: null, count: 1 },
  ])
})

test('equal answers are shown once with their number, the one that was acted on first', () => {
  const stop = { finish_reason: 'stop', fault: null }
  const cut = { finish_reason: 'length', fault: 'cut' as const }
  const answers = ['a', 'b', 'a', 'c', 'a']
  const thoughts: string[] = []
  expect(groupAnswers({ answers, endings: [stop, cut, stop, stop, cut] }, 'c')).toEqual([
    { text: 'c', count: 1, endings: [stop], thoughts },
    { text: 'a', count: 3, endings: [stop, cut], thoughts },
    { text: 'b', count: 1, endings: [cut], thoughts },
  ])
  expect(groupAnswers({ answers: ['0.5'], endings: [] }, null)).toEqual([
    { text: '0.5', count: 1, endings: [], thoughts },
  ])
  expect(groupAnswers({ answers: [], endings: [] }, 'c')).toEqual([])
})

test('equal answers keep each thought beside them once, and each notation of their calls', () => {
  const said = (call_format: 'native' | 'hermes', thinking: string) => ({
    finish_reason: 'stop',
    fault: null,
    call_format,
    thinking,
  })
  const endings = [said('native', 'Hm.'), said('native', 'Hm.'), said('hermes', 'Oh.')]
  expect(groupAnswers({ answers: ['a', 'a', 'a'], endings }, null)).toEqual([
    { text: 'a', count: 3, endings: [endings[0], endings[2]], thoughts: ['Hm.', 'Oh.'] },
  ])
})
