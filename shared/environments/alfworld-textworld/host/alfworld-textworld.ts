import { fileURLToPath } from 'node:url'
import { logEvent } from '../../../../containers/env-host/host-log.ts'
import { runHost } from '../../../../containers/env-host/run-host.ts'
import { serveProgram } from '../../../../containers/program/serve-program.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { makeGame } from '../../alfworld/household/make-game.ts'
import { createHouseholdTasks } from '../../alfworld/household/tasks.ts'
import { gamePath } from '../../alfworld/pack-format.ts'
import { alfworldTextworldDefinition } from '../alfworld-textworld.ts'

const bridge = fileURLToPath(new URL('play_alfworld.py', import.meta.url))

function householdGame(task: string): Record<string, string> {
  const found = createHouseholdTasks().find(({ id }) => id === task)
  if (found) return { [gamePath(task)]: JSON.stringify(makeGame(found)) }
  throw new EspalierError(
    'unknown_task',
    `alfworld-textworld has no task "${task}" of its own. Send the game in files, or list its tasks with GET /environments/alfworld-textworld/tasks.`,
    { param: 'task' },
  )
}

const needs =
  'It needs a Python with the packages of shared/environments/alfworld-textworld/host/requirements.txt, which ESPALIER_PYTHON names.'

// The entry point of the image, and of the child process that replaces it on one machine. Each session is a process
// of about 150 MB.
await runHost(
  async () => {
    const facts = await alfworldTextworldDefinition.open(null)
    return serveProgram([{ facts, files: householdGame }], {
      command: [process.env.ESPALIER_PYTHON ?? 'python3', bridge],
      needs,
      log: logEvent,
    })
  },
  { ESPALIER_HOST_SLOTS: '4' },
)
