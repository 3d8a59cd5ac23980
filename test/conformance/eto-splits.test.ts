import { expect, test } from 'vitest'
import { readEtoTasks } from '../../shared/environments/scienceworld/read-eto-task-file.ts'
import { createScienceworldTasks } from '../../shared/environments/scienceworld/tasks.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

type Entries = [string, number][]

const load = () => {
  const read = <Content>(name: string) => readConformance<Content>(`eto/splits/sciworld-${name}.json`)
  return {
    splits: ['train', 'dev', 'test'].map((split) => [split, read<Entries>(`${split}_indices`)] as const),
    numbers: read<Record<string, number>>('taskname2id'),
    maxSteps: read<Record<string, number>>('max_steps'),
  }
}

describeWithConformance('eto/splits/sciworld-max_steps.json', load, ({ splits, numbers, maxSteps }) => {
  const tasks = new Map(createScienceworldTasks().map((task) => [task.id, task]))

  test.each(splits)('the %s list selects a task for each of its entries', (_split, entries) => {
    const ids = readEtoTasks(entries)
    expect(ids).toHaveLength(entries.length)
    expect(new Set(ids).size).toBe(entries.length)
    expect(ids.filter((id) => !tasks.has(id))).toEqual([])
    expect(ids.map((id) => Number(id.split('/')[1]))).toEqual(entries.map(([, variation]) => variation))
  })

  test.each(splits)('the %s list by numbers selects the same tasks', (_split, entries) => {
    const numbered = entries.map(([task, variation]) => [numbers[task], variation])
    expect(readEtoTasks(numbered)).toEqual(readEtoTasks(entries))
  })

  test('the tasks have the step caps of the lists', () => {
    const expected = Object.entries(maxSteps).map(([task, cap]) => [task, cap] as const)
    expect(expected.length).toBeGreaterThan(20)
    for (const [task, cap] of expected) {
      const [id = ''] = readEtoTasks([[task, 0]])
      expect([task, tasks.get(id)?.max_steps]).toEqual([task, cap])
    }
  })
})
