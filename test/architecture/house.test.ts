import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { measureHouse } from '../../scripts/house/measure-house.ts'

const figures = measureHouse(resolve(import.meta.dirname, '../..'))

test('no source has more than 400 lines, and nine of ten have fewer than 200', () => {
  expect(figures.lines.most).toBeLessThanOrEqual(400)
  expect(figures.lines.p90).toBeLessThan(200)
})

test('few small files have one importer alone, in the same folder', () => {
  expect(figures.crumbs.map(({ file }) => file).slice(40)).toEqual([])
})

test('sources and documents use the terms of the field', () => {
  expect(figures.oldWords).toEqual([])
})
