import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { measureHouse } from '../../scripts/house/measure-house.ts'

const figures = measureHouse(resolve(import.meta.dirname, '../..'))

test('no source and no test has more than 400 lines, and nine of ten sources have fewer than 200', () => {
  expect(figures.overlong).toEqual([])
  expect(figures.lines.p90).toBeLessThan(200)
})

test('few small files have one importer alone, in the same folder', () => {
  expect(figures.crumbs.map(({ file }) => file).slice(60)).toEqual([])
})

test('sources and documents use the terms of the field', () => {
  expect(figures.oldWords).toEqual([])
})
