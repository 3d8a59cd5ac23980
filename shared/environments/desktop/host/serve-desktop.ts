import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { BackendRequest, ServedEnvironment } from '../../../../containers/env-host/session-backend.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { parseEnvironmentOptions } from '../../environment-options.ts'
import { describeOsworld } from '../../osworld/definition.ts'
import { type SessionMachine, sessionMachineFile, sessionMachineSchema } from '../../osworld/machines.ts'
import { osworldOptions } from '../../osworld/options.ts'
import { osworldTaskPath } from '../../osworld/pack-format.ts'
import { type PackedOsworldTask, packedOsworldTaskSchema } from '../../osworld/read-pack.ts'
import { desktopDefinition, openDesktopTasks } from '../definition.ts'
import { desktopTasks } from '../tasks.ts'
import { OsworldBackend } from './osworld-backend.ts'
import type { RealMachines } from './real-machines.ts'
import type { MachineSeats } from './seats.ts'
import type { TaskProgram } from './task-program.ts'

export interface DesktopParts {
  seats: MachineSeats
  machines: RealMachines
  program: TaskProgram
  mayRunCommands: boolean
}

export function serveOsworld(parts: DesktopParts): ServedEnvironment {
  return {
    id: 'osworld',
    facts: async () => describeOsworld([], osworldOptions.parse({})),
    isSpent: () => parts.seats.isSpent,
    async open(request) {
      const machine = readMachine(parts, request)
      const seats = machine === null ? parts.seats : parts.machines.seatsOf(machine)
      return openSession({ ...parts, seats }, request, readPacked(request))
    },
  }
}

export function serveDesktopTasks(parts: Pick<DesktopParts, 'seats' | 'program'>): ServedEnvironment {
  return {
    id: desktopDefinition.id,
    facts: () => openDesktopTasks(),
    isSpent: () => parts.seats.isSpent,
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

async function openSession(
  { seats, program }: Pick<DesktopParts, 'program'> & { seats: Pick<MachineSeats, 'take'> },
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

/**
 * The machine in a session's request; null: it is played on a desktop of this host.
 * @throws EspalierError if it is invalid, or if its reset command is not allowed on this host
 */
function readMachine(
  { mayRunCommands }: DesktopParts,
  { files = {} }: BackendRequest,
): SessionMachine | null {
  const written = files[sessionMachineFile]
  if (written === undefined) return null
  const machine = parseMachine(written)
  if (machine === null) {
    // Omits the fault, because the file may contain secrets.
    const message = `files["${sessionMachineFile}"] of the request is no machine.`
    throw new EspalierError('invalid_request', message, { param: 'files' })
  }
  if (!('command' in machine.reset) || mayRunCommands) return machine
  throw new EspalierError(
    'not_supported',
    'This host asks its callers for no access key, and so runs no command for them. Set ESPALIER_HOST_ACCESS_KEY, or have the machine reset by an address.',
  )
}

function parseMachine(written: string): SessionMachine | null {
  try {
    return sessionMachineSchema.parse(JSON.parse(written))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}
