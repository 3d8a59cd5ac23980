import { expect, test } from 'vitest'
import {
  addSplit,
  presets,
  removeSplit,
  renameSplit,
  sharesProblem,
  withShare,
} from '../../../../web/pages/new-dataset/split-shares.ts'

test('every preset adds up', () => {
  for (const { shares } of presets) expect(sharesProblem(shares)).toBeNull()
})

test('shares that do not add up, or are nothing, are said to', () => {
  expect(sharesProblem({ train: 0.8, test: 0.1 })).toBe('The shares are 0.9 in sum; they must be 1.')
  expect(sharesProblem({ train: 1, test: 0 })).toBe('The share of “test” must be more than 0.')
  expect(sharesProblem({ a: 0.1, b: 0.2, c: 0.7 })).toBeNull()
})

test('a split more takes what is left, and a name of its own', () => {
  expect(addSplit({ train: 0.9 })).toEqual({ train: 0.9, split_2: 0.1 })
  expect(Object.keys(addSplit({ train: 0.5, split_3: 0.5 }))).toEqual(['train', 'split_3', 'split_4'])
  expect(removeSplit({ train: 0.9, test: 0.1 }, 'test')).toEqual({ train: 0.9 })
})

test('a split is called otherwise at its place, and never swallows another', () => {
  expect(Object.keys(renameSplit({ train: 0.9, test: 0.1 }, 'train', 'practice'))).toEqual([
    'practice',
    'test',
  ])
  expect(renameSplit({ train: 0.9, test: 0.1 }, 'train', 'test')).toEqual({ train: 0.9, test: 0.1 })
})

test('a share that is being typed is nothing until it is a number', () => {
  expect(withShare({ train: 0.9 }, 'train', Number.NaN)).toEqual({ train: 0 })
  expect(withShare({ train: 0.9 }, 'train', 0.5)).toEqual({ train: 0.5 })
})
