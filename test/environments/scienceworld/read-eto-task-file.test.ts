import { describe, expect, test } from 'vitest'
import { readEtoTasks } from '../../../shared/environments/scienceworld/read-eto-task-file.ts'

describe('a task file of ETO', () => {
  test('names tasks by the paper’s name, by number, or by the simulator’s name', () => {
    const entries = [
      ['task-1-boil', 21],
      [14, 225],
      ['find-plant', 7],
      ['task-9-mendellian-genetics-(known-plant)', 3],
      [29, 0],
    ]
    expect(readEtoTasks(entries)).toEqual([
      'boil/21',
      'find-plant/225',
      'find-plant/7',
      'mendelian-genetics-known-plant/3',
      'mendelian-genetics-unknown-plant/0',
    ])
  })

  test.each([
    ['[["boil", 1], ["cook", 1]]', 'entry 1 names no task'],
    ['[[30, 1]]', 'entry 0 names no task'],
    ['[["boil", 30]]', 'from 0 to 29'],
    ['[["boil", "1"]]', 'from 0 to 29'],
    ['[["boil", 1, 2]]', 'entry 0'],
    ['[["constructor", 1]]', 'entry 0 names no task'],
  ])('%s is refused with what is wrong', (text, message) => {
    expect(() => readEtoTasks(JSON.parse(text))).toThrow(message)
  })
})
