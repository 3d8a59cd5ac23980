import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IndexedTask, TaskIndex } from '../../../../shared/data/datasets/build/plan-dataset.ts'

const play = (task: string, data: string | null = null, environment = 'webshop'): IndexedTask => ({
  environment,
  data,
  task,
})

test('tasks are numbered as they first appear, each by environment, data and id', () => {
  const index = new TaskIndex()
  const numbers = [play('b'), play('a'), play('b', null, 'alfworld'), play('a'), play('b')].map((task) =>
    index.add(task),
  )
  expect(numbers).toEqual([0, 1, 2, 1, 0])
})

test('a task of other data is another task', () => {
  const index = new TaskIndex()
  expect([play('a', 'old'), play('a', 'new'), play('a', 'old')].map((task) => index.add(task))).toEqual([
    0, 1, 0,
  ])
})

test('where one side does not know its data, environment and id decide, whichever comes first', () => {
  const index = new TaskIndex()
  expect(
    [play('a'), play('a', 'pack'), play('a', 'pack'), play('a', 'other')].map((task) => index.add(task)),
  ).toEqual([0, 0, 0, 1])
  expect(index.tasks).toEqual([play('a', 'pack'), play('a', 'other')])
})

test('with known data, numbers are the places of first appearance', () => {
  const some = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'), fc.constantFrom('e', 'f')),
  )
  fc.assert(
    fc.property(some, (tasks) => {
      const index = new TaskIndex()
      const numbers = tasks.map(([task, data, environment]) => index.add(play(task, data, environment)))
      const names = tasks.map((each) => each.join())
      expect(numbers).toEqual(names.map((name) => [...new Set(names)].indexOf(name)))
    }),
  )
})
