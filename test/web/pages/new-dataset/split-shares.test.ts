import { expect, test } from 'vitest'
import {
  addSplit,
  presets,
  renameSplit,
  type SplitEntry,
  sharesProblem,
  splitEntries,
  splitShares,
} from '../../../../web/pages/new-dataset/splits-section.tsx'

const namesOf = (entries: readonly SplitEntry[]) => entries.map(({ name }) => name)

test('every preset adds up', () => {
  for (const { shares } of presets) expect(sharesProblem(shares)).toBeNull()
})

test('shares that do not add up, or are nothing, are said to', () => {
  expect(sharesProblem({ train: 0.8, test: 0.1 })).toBe('The shares are 0.9 in sum; they must be 1.')
  expect(sharesProblem({ train: 1, test: 0 })).toBe('The share of “test” must be more than 0.')
  expect(sharesProblem({ a: 0.1, b: 0.2, c: 0.7 })).toBeNull()
})

test('a split more takes what is left, and a name of its own', () => {
  expect(splitShares(addSplit(splitEntries({ train: 0.9 })))).toEqual({ train: 0.9, split_2: 0.1 })
  expect(namesOf(addSplit(splitEntries({ train: 0.5, split_3: 0.5 })))).toEqual([
    'train',
    'split_3',
    'split_4',
  ])
})

test('a split is called otherwise at its place, and never swallows another', () => {
  const entries = splitEntries({ train: 0.9, test: 0.1 })
  expect(namesOf(renameSplit(entries, 0, 'practice'))).toEqual(['practice', 'test'])
  expect(renameSplit(entries, 0, 'test')).toEqual(entries)
})

test('a name that is a number stays at its place while it is typed', () => {
  let entries = splitEntries({ train: 0.9, test: 0.1 })
  for (const typed of ['2', '20', '202', '2024']) entries = renameSplit(entries, 1, typed)
  expect(entries).toEqual([
    { name: 'train', share: 0.9 },
    { name: '2024', share: 0.1 },
  ])
})

test('a share that is being typed is 0 where it is sent, until it is a number', () => {
  expect(splitShares([{ name: 'train', share: Number.NaN }])).toEqual({ train: 0 })
})
