/**
 * Writes Espalier's household games as files, in the folder layout of ALFWorld's own games, for programs that play
 * `game.tw-pddl`.
 *
 *   node shared/environments/alfworld/make-games.ts FOLDER [--count N] [--split test|train] [--put]
 *
 * Writes the first N tasks in a fair mix of types, all without N. With --put they say `put … in/on …`, as games
 * before ALFWorld 0.4 do.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeGame } from './household/make-game.ts'
import { createHouseholdTasks } from './household/tasks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, split: { type: 'string' }, put: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) {
  throw new Error('Name the folder: node shared/environments/alfworld/make-games.ts FOLDER [--count N]')
}
const tasks = createHouseholdTasks().filter(({ split }) => (values.split ?? split) === split)
const count = values.count === undefined ? tasks.length : Number(values.count)
for (const task of tasks.slice(0, count)) {
  const path = join(folder, task.id, 'game.tw-pddl')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(makeGame(task, values.put ? 'put' : 'move')))
}
