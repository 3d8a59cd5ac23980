import { describe, expect, test } from 'vitest'
import {
  readAgentgymTasks,
  readEtoTasks,
} from '../../../shared/environments/scienceworld/read-eto-task-file.ts'

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

test.each([
  [0, 'boil', 30],
  [30, 'melt', 30],
  [60, 'freeze', 30],
  [90, 'change-the-state-of-matter-of', 30],
  [120, 'use-thermometer', 540],
  [660, 'measure-melting-point-known-substance', 436],
  [1096, 'measure-melting-point-unknown-substance', 300],
  [1396, 'power-component', 20],
  [1416, 'power-component-renewable-vs-nonrenewable-energy', 20],
  [1436, 'test-conductivity', 900],
  [2336, 'test-conductivity-of-unknown-substances', 600],
  [2936, 'find-living-thing', 300],
  [3236, 'find-non-living-thing', 300],
  [3536, 'find-plant', 300],
  [3836, 'find-animal', 300],
  [4136, 'chemistry-mix', 32],
  [4168, 'chemistry-mix-paint-secondary-color', 36],
  [4204, 'chemistry-mix-paint-tertiary-color', 36],
  [4240, 'lifespan-longest-lived', 125],
  [4365, 'lifespan-shortest-lived', 125],
  [4490, 'lifespan-longest-lived-then-shortest-lived', 125],
  [4615, 'identify-life-stages-1', 14],
  [4629, 'identify-life-stages-2', 10],
])('AgentGym numbers the games of a type from %i: %s', (first, type, count) => {
  const ids = readAgentgymTasks([first, { item_id: `sciworld_${first + count - 1}` }])
  expect(ids).toEqual([`${type}/0`, `${type}/${count - 1}`])
})
