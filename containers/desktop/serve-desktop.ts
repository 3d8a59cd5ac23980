import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { desktopDefinition, openDesktopTasks } from '../../shared/environments/desktop/definition.ts'
import { desktopTasks } from '../../shared/environments/desktop/tasks.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { describeOsworld } from '../../shared/environments/osworld/definition.ts'
import { osworldOptions } from '../../shared/environments/osworld/options.ts'
import {
  osworldTaskPath,
  type PackedOsworldTask,
  packedOsworldTaskSchema,
} from '../../shared/environments/osworld/pack-format.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { OsworldBackend } from './osworld-backend.ts'
import type { MachineSeats } from './seats.ts'
import type { TaskProgram } from './task-program.ts'

export interface DesktopParts {
  seats: MachineSeats
  program: TaskProgram
}

/** Serves OSWorld's tasks, each of which comes with the request for a session. */
export function serveOsworld(parts: DesktopParts): ServedEnvironment {
  return {
    id: 'osworld',
    facts: async () => describeOsworld([], osworldOptions.parse({})),
    open: (request) => openSession(parts, request, readPacked(request)),
  }
}

/** Serves the tasks of our own, which every host has. */
export function serveDesktopTasks(parts: DesktopParts): ServedEnvironment {
  return {
    id: desktopDefinition.id,
    facts: () => openDesktopTasks(),
    async open(request) {
      const found = desktopTasks().get(request.task)
      if (found !== undefined) return openSession(parts, request, { task: found.task, files: {} })
      throw new EspalierError(
        'unknown_task',
        `desktop has no task "${request.task}". \`espalier environments show desktop\` lists them.`,
        { param: 'task' },
      )
    },
  }
}

/** Lays the files of a task out for its set-up and its scoring. */
async function openSession(
  { seats, program }: DesktopParts,
  { options: given }: BackendRequest,
  { task, files: packed }: PackedOsworldTask,
): Promise<OsworldBackend> {
  const options = osworldOptions.parse(parseEnvironmentOptions(desktopDefinition, given))
  const folder = await mkdtemp(join(tmpdir(), 'espalier-task-'))
  const files: Record<string, string> = {}
  for (const [index, [address, content]] of Object.entries(packed).entries()) {
    const path = join(folder, `file-${index}`)
    await writeFile(path, content, 'base64')
    files[address] = path
  }
  const problem = { task, options, files, cache: folder }
  return new OsworldBackend(seats, program, problem, () => rm(folder, { recursive: true, force: true }))
}

/** @throws EspalierError for a task that is missing or wrong */
function readPacked({ task: id, files = {} }: BackendRequest): PackedOsworldTask {
  const path = osworldTaskPath(id)
  try {
    return packedOsworldTaskSchema.parse(JSON.parse(files[path] ?? ''))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    const what = files[path] === undefined ? 'is missing' : 'is not a task of OSWorld'
    throw new EspalierError('invalid_request', `files["${path}"] of the request ${what}.`, { param: 'files' })
  }
}
