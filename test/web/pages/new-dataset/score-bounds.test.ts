import { expect, test } from 'vitest'
import { datasetCommand } from '../../../../web/pages/new-dataset/dataset-command.ts'
import { readBounds, writeBounds } from '../../../../web/pages/new-dataset/score-bounds.ts'

test('bounds of scores are read from a text and written as one', () => {
  const bounds = [{ name: 'careful', at_least: 0.5 }, { name: 'neat' }, { name: 'fast', at_most: 0.25 }]
  expect(readBounds(' careful >= 0.5, neat,fast<=.25,')).toEqual(bounds)
  expect(readBounds(writeBounds(bounds))).toEqual(bounds)
  const both = [{ name: 'careful', at_least: 0.25, at_most: 0.5 }]
  expect(readBounds(writeBounds(both))).toEqual(both)
  expect(readBounds('')).toEqual([])
  for (const wrong of ['careful>0.5', '>=1', 'careful>=', 'careful>=1.2.3', 'careful=1']) {
    expect(readBounds(wrong)).toBeNull()
  }
})

test('the command names the bounds that its flag can say', () => {
  const command = (scores: { name: string; at_least?: number; at_most?: number; by?: string }[]) =>
    datasetCommand({ runs: ['run-1'], scores }, 'http://localhost:8080')
  expect(command([{ name: 'careful', at_least: 0.5 }, { name: 'neat' }])).toContain("--score 'careful>=0.5'")
  expect(command([{ name: 'careful', at_least: 0.5, at_most: 1 }])).toBeNull()
  expect(command([{ name: 'careful', by: 'ada' }])).toBeNull()
})
