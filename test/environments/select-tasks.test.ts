import { describe, expect, test } from 'vitest'
import type { TaskSelection } from '../../shared/core/contracts/run.ts'
import type { EnvironmentTask } from '../../shared/environments/environment.ts'
import { selectTasks } from '../../shared/environments/select-tasks.ts'
import { textcraft } from '../../shared/environments/textcraft/textcraft.ts'

const all = textcraft.tasks()
const testTasks = all.filter(({ split }) => split === 'test')
const select = (selection: TaskSelection) => selectTasks(textcraft, selection)

describe('selecting tasks', () => {
  test('an empty selection is every task', () => {
    expect(select({})).toEqual(all)
  })

  test('a split and a limit are the first tasks of the split', () => {
    expect(select({ split: 'test', limit: 20 })).toEqual(testTasks.slice(0, 20))
  })

  test('a range is positions in the split', () => {
    expect(select({ split: 'test', range: [5, 9] })).toEqual(testTasks.slice(5, 9))
  })

  test('types filter what the range leaves, and the limit comes last', () => {
    const selected = select({ split: 'test', range: [0, 30], types: ['depth-1', 'depth-3'], limit: 3 })
    const fitting = testTasks.slice(0, 30).filter(({ type }) => type === 'depth-1' || type === 'depth-3')
    expect(selected).toEqual(fitting.slice(0, 3))
  })

  test('ids are taken in their own order, each once', () => {
    const ids = ['textcraft-0042', 'textcraft-0007', 'textcraft-0042']
    expect(select({ ids }).map(({ id }) => id)).toEqual(['textcraft-0042', 'textcraft-0007'])
  })
})

describe('tasks that lack something here', () => {
  const [first, second, ...others] = all as [EnvironmentTask, EnvironmentTask, ...EnvironmentTask[]]
  const some = {
    ...textcraft,
    tasks: () => [
      { ...first, split: 'lacking', lacks: ['sudo', 'the web'] },
      { ...second, split: 'lacking', lacks: ['sudo'] },
      ...others,
    ],
  }

  test('are refused with what the first of them lacks, and how many there are', () => {
    expect(() => selectTasks(some, { split: 'lacking' })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'tasks.split',
        message: expect.stringMatching(/needs sudo, the web\. So it is with 2 of the 2 tasks/),
      }),
    )
    expect(() => selectTasks(some, { ids: ['textcraft-0042', second.id] })).toThrow(
      expect.objectContaining({ param: 'tasks.ids', message: expect.stringMatching(/needs sudo\. Choose/) }),
    )
  })

  test('stand in the way of no other selection', () => {
    expect(selectTasks(some, { split: 'test' })).toEqual(others.filter(({ split }) => split === 'test'))
  })
})

describe('a selection that names nothing', () => {
  test.each<[string, TaskSelection, string, RegExp]>([
    [
      'an unknown id',
      { ids: ['textcraft-0001', 'nowhere'] },
      'tasks.ids',
      /no task "nowhere".*textcraft-\d{4}/,
    ],
    ['an unknown split', { split: 'validation' }, 'tasks.split', /"validation".*test, train, long/],
    ['an unknown type', { types: ['depth-1', 'depth-9'] }, 'tasks.types', /"depth-9".*depth-1, depth-2/],
    ['a range past the end', { split: 'test', range: [5000, 6000] }, 'tasks.range', /from 0 to 107/],
    ['parts that exclude each other', { split: 'long', types: ['depth-1'] }, 'tasks', /leaves no task/],
  ])('is refused: %s', (_what, selection, param, message) => {
    expect(() => select(selection)).toThrow(
      expect.objectContaining({ code: 'unknown_task', param, message: expect.stringMatching(message) }),
    )
  })
})
