import type { StepBench } from '../step-bench.ts'
import { loadGame } from './game.ts'
import { readGameFile } from './game-file.ts'
import { makeGame } from './household/make-game.ts'
import { createHouseholdTasks } from './household/tasks.ts'

const files = createHouseholdTasks()
  .slice(0, 6)
  .map((task) => ({ id: task.id, file: makeGame(task) }))
const bytes = files.map(({ id, file }) => ({ id, body: new TextEncoder().encode(JSON.stringify(file)) }))

export const alfworldBench: readonly StepBench[] = [
  {
    what: 'ALFWorld (searching, opening, examining, invalid actions)',
    aim: '≥ 20 k steps/s',
    episodes: files.map(({ id, file }) => {
      const game = loadGame(file, id)
      const places = game.validActions(game.reset().state).filter((command) => command.startsWith('go to '))
      const search = places.flatMap((go) => [go, go.replace('go to', 'open'), go.replace('go to', 'examine')])
      const commands = [...search, 'inventory', 'look', 'dance', ...(file.walkthrough ?? [])]
      return { core: game, task: id, action: (_state, step) => commands[step] ?? null }
    }),
    loads: [
      {
        what: `ALFWorld, ${bytes.length} games from bytes to their first observation`,
        aim: `≤ ${5 * bytes.length} ms`,
        load: () => {
          for (const { id, body } of bytes) loadGame(readGameFile(body, id), id).reset()
        },
        least: () => {
          for (const { body } of bytes) JSON.parse(new TextDecoder().decode(body))
        },
        leastIs: 'reading their JSON',
      },
    ],
  },
]
