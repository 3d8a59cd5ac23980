import { expect, test } from 'vitest'
import { pageOfRow, rowAddress, withRow } from '../../../../web/pages/dataset/row-address.ts'

const splits: [string, { rows: number; tasks: number }][] = [
  ['validation', { rows: 5, tasks: 2 }],
  ['train', { rows: 100, tasks: 20 }],
]
const read = (query: string) => rowAddress(new URLSearchParams(query), splits)

test('without a name it is the first row for training', () => {
  expect(read('')).toEqual({ split: 'train', row: 0, total: 100 })
  expect(rowAddress(new URLSearchParams(), [['test', { rows: 3, tasks: 1 }]])).toMatchObject({
    split: 'test',
  })
})

test('a row and its split are opened by their names', () => {
  expect(read('split=validation&row=4')).toEqual({ split: 'validation', row: 4, total: 5 })
})

test('what is not there is the nearest that is', () => {
  expect(read('row=1000').row).toBe(99)
  expect(read('split=nope&row=-1')).toEqual({ split: 'train', row: 0, total: 100 })
  expect(read('row=1e1').row).toBe(0)
})

test('another row leaves the rest of the address as it is', () => {
  const before = new URLSearchParams('split=train&row=3&other=1')
  expect(withRow(before, { row: 7 }).toString()).toBe('split=train&row=7&other=1')
  expect(withRow(before, { split: 'validation', row: 0 }).get('split')).toBe('validation')
  expect(before.get('row')).toBe('3')
})

test('pages begin at even numbers of rows', () => {
  expect([0, 19, 20, 45].map(pageOfRow)).toEqual([0, 0, 20, 40])
})
