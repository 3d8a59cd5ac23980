import { expect, test } from 'vitest'
import { describeMethod } from '../../../shared/play/methods/describe-method.ts'
import { openMethods, parseMethodParameters } from '../../../shared/play/methods/methods.ts'
import { chosenParameters, describeParameters } from '../../../web/format/chosen-parameters.ts'
import { describeTasks } from '../../../web/format/describe-tasks.ts'

test.each([
  [{}, 'test'],
  [{ split: 'train', limit: 40 }, 'train, first 40'],
  [{ ids: ['a', 'b', 'c'] }, '3 by id'],
  [{ ids: ['a'], split: 'test' }, '1 by id, test'],
  [{ split: 'test', range: [0, 50] as [number, number], types: ['gripper'] }, 'test 0–49, gripper'],
  [{ split: 'test', range: [7, 8] as [number, number] }, 'test no. 7'],
  [{ split: 'test', types: ['a', 'b', 'c'] }, 'test, 3 types'],
  [
    { generate: { generator: 'gripper', count: 2000, seed: 1, split: 'dev' as const } },
    '2,000 generated (gripper), dev',
  ],
])('tasks %j are said as "%s"', (tasks, text) => {
  expect(describeTasks(tasks)).toBe(text)
})

test('of a method only what was chosen is shown', () => {
  const method = openMethods().find('mcts')
  const chosen = { value: 'debate', iterations: 4 }
  const stored = { max_steps: 20, ...parseMethodParameters(method, chosen) }
  const environment = { default_max_steps: 20 }
  expect(chosenParameters(stored, describeMethod(method), environment)).toEqual(chosen)
  expect(chosenParameters(stored, describeMethod(method), { default_max_steps: 10 })).toEqual({
    ...chosen,
    max_steps: 20,
  })
  expect(chosenParameters({ x: 1 }, undefined, undefined)).toEqual({ x: 1 })
  expect(describeParameters({ ...chosen, train_ids: ['a'] })).toBe(
    'value debate, iterations 4, train_ids ["a"]',
  )
})

test('a horizon that the run settled by itself was not chosen, unless the method has another default for it', () => {
  const chosen = (id: string, parameters: { max_depth: number | null }) =>
    chosenParameters(parameters, describeMethod(openMethods().find(id)), { default_max_steps: 20 })
  expect(chosen('mcts', { max_depth: 19 })).toEqual({})
  expect(chosen('mcts', { max_depth: null })).toEqual({})
  expect(chosen('mcts', { max_depth: 20 })).toEqual({ max_depth: 20 })
  expect(chosen('best-first', { max_depth: 19 })).toEqual({ max_depth: 19 })
})
