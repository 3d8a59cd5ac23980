import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { HostedEnvironment } from '../../shared/environments/environment.ts'
import {
  type ProgramCommand,
  programCommandFile,
  programCommandSchema,
} from '../../shared/environments/program/registration.ts'
import type { HostLog } from '../env-host/host-log.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { ProgramPool } from './program-pool.ts'
import { programSessions } from './program-sessions.ts'

const facts: HostedEnvironment = {
  id: 'program',
  description: 'Programs that are environments.',
  snapshot: 'replay',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 30,
  tasks: () => [],
  describe: () => ({ rules: 'The program has them.', example: null }),
  host: { kind: 'image', image: 'program' },
}

export function serveCommands(log: HostLog): ServedEnvironment {
  const pools = new Map<string, ProgramPool>()

  function poolOf(program: ProgramCommand): ProgramPool {
    const key = JSON.stringify(program)
    const { command, folder, memory_limit_mb: memory } = program
    const { step_time_limit: step = 60, reset_time_limit: reset = 60 } = program
    const bounds = { within: { step, reset }, ...(memory !== undefined && { memory }) }
    const pool = pools.get(key) ?? new ProgramPool({ command, folder, log, ...bounds })
    pools.set(key, pool)
    return pool
  }

  return {
    id: facts.id,
    facts: async () => facts,
    ...programSessions((wanted) => {
      const { command, request } = readRequest(wanted)
      return { pool: poolOf(command), request, options: {} }
    }),
    async stop() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.stop()))
    },
  }
}

/** @throws EspalierError `invalid_request` for a request without its command */
function readRequest(wanted: BackendRequest): { command: ProgramCommand; request: BackendRequest } {
  const { [programCommandFile]: text = 'null', ...files } = wanted.files ?? {}
  const parsed = programCommandSchema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const message = `files["${programCommandFile}"] of the request is missing, or not what it should be.`
    throw new EspalierError('invalid_request', message, { param: 'files' })
  }
  return { command: parsed.data, request: { ...wanted, files } }
}
