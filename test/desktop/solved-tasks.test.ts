import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { openTaskProgram, type TaskProgram } from '../../shared/environments/desktop/host/task-program.ts'
import { desktopTasks } from '../../shared/environments/desktop/tasks.ts'
import { isInfeasible, osworldTaskSchema } from '../../shared/environments/osworld/task-file.ts'
import { osworldSolutions } from './osworld-solutions.ts'
import { playScripted } from './play-scripted.ts'
import { solutions } from './solutions.ts'

let program: TaskProgram

beforeAll(() => {
  program = openTaskProgram(() => undefined)
})

afterAll(() => program.stop())

/** Those of OSWorld, as they are there. */
const osworldTasks: (JsonObject & { id: string; instruction: string })[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'osworld/tasks.json'), 'utf8'),
)

/** One of each kind, and the ones that take several programs' dialogs; `ESPALIER_DESKTOP_TASKS=all` plays them all. */
const usual = [
  'calc-month-total',
  'calc-export-csv',
  'writer-replace-word',
  'impress-export-pdf',
  'gimp-mirror',
  'vlc-playlist',
  'terminal-count-errors',
  'files-rename',
  'settings-default-viewer',
  'settings-second-screen',
]
const playsAll = process.env.ESPALIER_DESKTOP_TASKS === 'all'
const own = [...desktopTasks().values()].filter(({ id }) => playsAll || usual.includes(id))

test('there is a solution for every task of our own, and for every task of OSWorld here', () => {
  expect(Object.keys(solutions).sort()).toEqual([...desktopTasks().keys()].sort())
  expect(Object.keys(osworldSolutions).sort()).toEqual(osworldTasks.map(({ id }) => id).sort())
})

describe('tasks of our own are solved, and not by doing nothing', () => {
  test.each(own)('$id', async ({ id, written }) => {
    const played = await playScripted(program, written as JsonObject, solutions[id] ?? [], true)
    expect(played).toEqual({ idle: 0, solved: 1 })
  })
})

describe('tasks of OSWorld that need no file are solved', () => {
  test.each(osworldTasks.map((task) => ({ ...task, task })))('$id: $instruction', async ({ id, task }) => {
    const played = await playScripted(program, task, osworldSolutions[id] ?? [], false)
    expect(played.solved).toBe(1)
    expect(isInfeasible(osworldTaskSchema.parse(task))).toBe(osworldSolutions[id]?.at(-1) === 'FAIL')
  })
})
