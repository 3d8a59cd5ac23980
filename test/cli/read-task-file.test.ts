import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTaskFile } from '../../cli/read-task-file.ts'
import { runCli } from '../../cli/run-cli.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

test.each([
  ['pddl', '["gripper-001", "barman-000"]', ['gripper-001', 'barman-000']],
  ['webshop', '[12, 3]', ['webshop-12', 'webshop-3']],
  ['webshop', '["webshop-4"]', ['webshop-4']],
  ['scienceworld', '[["task-1-boil", 21], ["boil", 3]]', ['boil/21', 'boil/3']],
  ['scienceworld-plain', '["boil/1"]', ['boil/1']],
  ['webshop', '[{"item_id": "webshop_5238"}]', ['webshop-5238']],
  ['webshop', '{"5238": 6, "12": 4}', ['webshop-12', 'webshop-5238']],
  [
    'textcraft',
    '[{"item_id": "textcraft_140"}, {"item_id": "textcraft_7"}]',
    ['textcraft_140', 'textcraft_7'],
  ],
  ['textcraft', '{"31": 5}', ['textcraft_31']],
  ['scienceworld-plain', '[{"item_id": "sciworld_536"}]', ['use-thermometer/416']],
  ['scienceworld', '[{"item_id": "sciworld_4638"}]', ['identify-life-stages-2/9']],
  ['osworld', '{"chrome": ["a", "b"], "os": ["c"]}', ['a', 'b', 'c']],
])('a task file of %s lists its tasks in order: %s', async (environment, content, ids) => {
  expect(await readTaskFile('tasks.json', content, environment)).toEqual(ids)
})

test.each([
  ['pddl', '[1]', /tasks\.json must list ids.*environments pddl --tasks/],
  ['webshop', '[-1]', /or numbers of goals/],
  ['webshop', '{}', /must hold a JSON array/],
  ['webshop', '{"a": 1}', /must hold a JSON array of tasks, or a map/],
  ['webshop', '[{"item_id": "textcraft_1"}]', /or numbers of goals, or items such as/],
  ['scienceworld', '[{"item_id": "sciworld_4639"}]', /no game 4639: they are numbered from 0 to 4638/],
  ['webshop', '[]', /at least one/],
  ['scienceworld', '[["task-1-boil", 9999]]', /tasks\.json: .*entry 0 must name a variation of boil/],
  ['pddl', 'gripper-001', /is not JSON/],
])('a task file of %s that is none is refused: %s', async (environment, content, why) => {
  await expect(readTaskFile('tasks.json', content, environment)).rejects.toThrow(why)
})

test('run plays what a task file lists', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'tasks.json')
  await writeFile(file, '["gripper-001", "blockworld-000"]')
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal({ columns: 140 })
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const play = ['run', '--environment', 'pddl', '--method', 'react', '--model', 'simulated']
  expect((await espalier(...play, '--task-file', file)).exitCode).toBe(0)
  const { data } = JSON.parse((await espalier('runs', '--json')).out) as List<Run>
  expect(data[0]?.request.tasks).toEqual({ ids: ['gripper-001', 'blockworld-000'] })
  expect(await espalier(...play, '--task-file', join(folder, 'none.json'))).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('cannot be read'),
  })
  expect(await espalier(...play, '--task-file', file, '--task', 'gripper-000')).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('--task or --task-file'),
  })
})

test('run plays given beginnings, on the tasks that have one', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'beginnings.json')
  await writeFile(file, '{"gripper-001": ["Thought: Hm.\\nAction: look around"]}')
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal({ columns: 140 })
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  const play = ['run', '--environment', 'pddl', '--method', 'react', '--model', 'simulated']
  expect((await espalier(...play, '--beginnings', file)).exitCode).toBe(0)
  const { data } = JSON.parse((await espalier('runs', '--json')).out) as List<Run>
  expect(data[0]?.request).toMatchObject({
    tasks: { ids: ['gripper-001'] },
    method: { beginnings: { 'gripper-001': ['Thought: Hm.\nAction: look around'] } },
  })
  expect(await espalier(...play, '--beginnings', file, '--task', 'gripper-000')).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('has the task "gripper-001", which this run does not play'),
  })
  await writeFile(file, '["look around"]')
  expect(await espalier(...play, '--beginnings', file)).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('must hold a JSON map of task ids to lists of answers'),
  })
})
