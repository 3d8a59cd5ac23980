import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberOfTask, taskNamed } from '../../../shared/data/formats/task-name.ts'
import { gameCount } from '../../../shared/environments/scienceworld/game-numbers.ts'

test.each(['scienceworld', 'scienceworld-plain', 'webshop', 'textcraft'])(
  'every number that names a task of %s is the number of that task',
  (environment) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: gameCount - 1 }), (number) => {
        expect(numberOfTask(environment, taskNamed(environment, String(number)))).toBe(number)
      }),
    )
  },
)

test.each([
  ['scienceworld', 'boil/21', 21],
  ['scienceworld', 'melt/3', 33],
  ['scienceworld-plain', 'identify-life-stages-2/9', 4638],
  ['scienceworld', 'grow-fruit/3', null],
  ['scienceworld', 'boil', null],
  ['webshop', 'webshop-12', 12],
  ['textcraft', 'textcraft_42', 42],
  ['textcraft', 'textcraft-0042', null],
  ['pddl', 'gripper-problem10', null],
])('in %s the number of %s is %j', (environment, task, number) => {
  expect(numberOfTask(environment, task)).toBe(number)
})

test.each(['4639', '5_99999', '99_1', 'boil/21'])('%s stays as it is in ScienceWorld', (id) => {
  expect(taskNamed('scienceworld', id)).toBe(id)
})

test.each([
  ['scienceworld-plain', 'sciworld_33', 'melt/3'],
  ['scienceworld-plain', 'scienceworld_4639', '4639'],
  ['scienceworld', '14_225', 'find-plant/225'],
  ['webshop', 'webshop_7', 'webshop-7'],
  ['textcraft', 'textcraft_7', 'textcraft_7'],
  ['alfworld-textworld', 'json_2.1.1/train/pick/trial_1/game.tw-pddl', 'train/pick/trial_1'],
  ['pddl', 'pddl_3', '3'],
])('in %s the task %s is %s', (environment, id, task) => {
  expect(taskNamed(environment, id)).toBe(task)
})
