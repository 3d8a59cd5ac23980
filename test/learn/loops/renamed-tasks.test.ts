import { expect, test } from 'vitest'
import { formatLoopReport } from '../../../cli/format-loop.ts'
import { pddl } from '../../../shared/environments/pddl/pddl.ts'
import { resolveTasks, settleSelection } from '../../../shared/environments/select-tasks.ts'
import type { LoopTasks } from '../../../shared/learn/loops/loop-ports.ts'
import { loopMarkdown } from '../../../shared/learn/loops/report/loop-markdown.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { loopRequest, openDrivenLoops } from './drive-loop.ts'
import { FakeService } from './fake-service.ts'

const shared = shareWorld()

const realTasks: LoopTasks = async (_request, selection) => ({
  data: undefined,
  tasks: await resolveTasks(pddl, settleSelection(pddl, selection)),
  formOf: async (task) => (await pddl.formOf?.(task)) ?? '',
})

async function reportOf(version: number, tasks: LoopTasks | null = realTasks) {
  const parts = new FakeService().parts()
  const own = openDrivenLoops(shared.world, tasks === null ? parts : { ...parts, tasks }).loops.of('default')
  const generate = { generator: 'gripper', version, seed: 1, max_balls: 2, min_rooms: 4, max_rooms: 5 }
  const { id } = await own.create(
    loopRequest(
      tasks === null
        ? {}
        : {
            environment: 'pddl',
            tasks: {
              train: { generate: { ...generate, split: 'train', count: 400 } },
              test: { generate: { ...generate, split: 'test', count: 60 } },
            },
          },
    ),
  )
  return own.report(id)
}

test('the report counts test tasks that are a training task with other names: none of version 2', async () => {
  const [first, second] = [await reportOf(1), await reportOf(2)]
  expect(first.splits?.test.tasks).toBe(60)
  expect(first.splits?.test.in_training).toBeGreaterThan(50)
  expect(second.splits).toMatchObject({
    train: { tasks: 400 },
    dev: null,
    test: { tasks: 60, in_training: 0 },
  })
  expect(second.splits?.test.different).toBeLessThan(60)
  expect(loopMarkdown(second)).toContain('; 0 of them are a training task with other names.')
  expect(formatLoopReport(second, 200).join('\n')).toMatch(
    /\d of 60 test tasks differ in more than names; 0 are/,
  )
})

test('the report counts nothing in an environment without forms', async () => {
  const report = await reportOf(1, null)
  expect(report.splits).toBeNull()
  expect(loopMarkdown(report)).not.toContain('renaming')
})
