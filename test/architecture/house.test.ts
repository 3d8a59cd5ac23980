import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { measureHouse } from '../../scripts/house/measure-house.ts'
import { measureRooms, roomsOverLimits } from '../../scripts/house/measure-rooms.ts'

const figures = measureHouse(resolve(import.meta.dirname, '../..'))

test('no source and no test has more than 400 lines, and nine of ten sources have fewer than 200', () => {
  expect(figures.overlong).toEqual([])
  expect(figures.lines.p90).toBeLessThan(200)
})

test('few small files have one importer alone, in the same folder', () => {
  expect(figures.crumbs.map(({ file }) => file).slice(25)).toEqual([])
})

test('the root has at most 18 files, and package.json at most 25 scripts', () => {
  expect(figures.rootFiles.slice(18)).toEqual([])
  expect(figures.rootFiles).toContain('package.json')
  expect(figures.scripts.slice(25)).toEqual([])
})

test('one iteration of MCTS is at most 12 files and 1,500 lines, types included', () => {
  const [rollouts] = figures.iterations
  expect(rollouts?.files.at(-1)).toBe('shared/environments/environment.ts')
  expect(rollouts?.files).toEqual(
    expect.arrayContaining(['shared/play/search/tree.ts', 'shared/play/methods/episode-scope.ts']),
  )
  expect(rollouts?.files.length).toBeLessThanOrEqual(12)
  expect(rollouts?.lines).toBeLessThanOrEqual(1500)
})

test('sources and documents use the terms of the field', () => {
  expect(figures.oldWords).toEqual([])
})

test('few files outside its room name an environment', () => {
  const rooms = measureRooms(resolve(import.meta.dirname, '../..'))
  expect(rooms.find(({ id }) => id === 'webshop')?.outside).toContain('shared/environments/environments.ts')
  expect(roomsOverLimits(rooms)).toEqual([])
  const full = rooms.map(({ id }) => ({ id, outside: Array.from({ length: 99 }, () => id) }))
  expect(roomsOverLimits(full)).toHaveLength(rooms.length)
})
