import { describe, expect, test } from 'vitest'
import { isPure } from '../../../shared/environments/environment.ts'
import { exampleTask } from '../../../shared/environments/scienceworld/guide.ts'
import { scienceworldDefinitions, variants } from '../../../shared/environments/scienceworld/scienceworld.ts'
import { taskTypes } from '../../../shared/environments/scienceworld/task-types.ts'
import { createScienceworldTasks, variationCounts } from '../../../shared/environments/scienceworld/tasks.ts'

describe('tasks of ScienceWorld', () => {
  const tasks = createScienceworldTasks()

  test('are all variations of the thirty types, each in one split', () => {
    expect(Object.keys(taskTypes).sort()).toEqual(Object.keys(variationCounts))
    expect(tasks).toHaveLength(7207)
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(7207)
  })

  test('come split by split, and every split has every type', () => {
    expect([...new Set(tasks.map(({ split }) => split))]).toEqual(['train', 'dev', 'test'])
    for (const split of ['train', 'dev', 'test']) {
      const types = new Set(tasks.filter((task) => task.split === split).map(({ type }) => type))
      expect(types.size).toBe(30)
    }
    const counts = tasks.filter(({ type }) => type === 'boil').map(({ split }) => split)
    expect(counts.filter((split) => split === 'train')).toHaveLength(21)
    expect(counts.filter((split) => split === 'dev')).toHaveLength(3)
  })

  test('are the same in every process', () => {
    expect(createScienceworldTasks()).toEqual(tasks)
    const first = tasks.filter(({ type, split }) => type === 'identify-life-stages-2' && split === 'test')
    expect(first.map(({ id }) => id)).toEqual(['identify-life-stages-2/7', 'identify-life-stages-2/9'])
  })

  test('have the task of the guide’s example among those to learn from', () => {
    expect(tasks.find(({ id }) => id === exampleTask)?.split).toBe('train')
  })
})

describe('environments of ScienceWorld', () => {
  test('run on hosts, and say what is made easy', async () => {
    const opened = await Promise.all(scienceworldDefinitions.map(({ open }) => open(null)))
    expect(opened.map(({ id }) => id)).toEqual(['scienceworld', 'scienceworld-plain'])
    expect(opened.some(isPure)).toBe(false)
    expect(variants.map(({ simplifications }) => simplifications)).toEqual(['easy', ''])
    expect(opened[0]?.description).toContain('easy')
  })

  test('mention teleporting where one can', () => {
    const rules = variants.map(({ facts }) => facts.describe(facts.tasks()[0] as never).rules)
    expect(rules.map((text) => text.includes('teleport to'))).toEqual([true, false])
  })
})
