import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'
import {
  type EnvironmentOptionsSchema,
  parseEnvironmentOptions,
} from '../../shared/environments/environment-options.ts'
import { programFactsSchema } from '../../shared/environments/program/program-facts.ts'
import type { BackendRequest, ServedEnvironment } from '../env-host/session-backend.ts'
import { ProgramPool, type ProgramPoolOptions } from './program-pool.ts'
import { type ProgramPlace, programSessions } from './program-sessions.ts'

export interface ProgramEnvironment {
  facts: EnvironmentFacts
  settings?: JsonObject
  options?: EnvironmentOptionsSchema
  /**
   * The files of a task, for requests without files.
   * @throws EspalierError `unknown_task`
   */
  files?(task: string): Readonly<Record<string, string>>
}

/**
 * Serves environments whose sessions a program holds. Their facts are passed here, and the program only plays.
 * @param environments may differ in the settings that the program receives with each reset
 * @throws EspalierError `host_unreachable` when the program cannot be started
 */
export async function serveProgram(
  environments: readonly ProgramEnvironment[],
  options: ProgramPoolOptions,
): Promise<ServedEnvironment[]> {
  // Programs of ours: they read settings of their image, whose memory limits them.
  const own = { variables: process.env, memory: Number.POSITIVE_INFINITY }
  const pool = new ProgramPool({ ...own, ...options })
  // A host whose program cannot run must fail here.
  pool.release(await pool.take())
  return environments.map((environment) => serve(environment, pool))
}

/**
 * Serves a program that describes its own environment.
 * @throws EspalierError `host_unreachable` when it cannot be started, `internal` when its description is invalid
 */
export async function serveDescribedProgram(options: ProgramPoolOptions): Promise<ServedEnvironment> {
  const pool = new ProgramPool(options)
  const program = await pool.take()
  const described = await program.process.ask({ op: 'describe' }, programFactsSchema)
  pool.release(program)
  const { environment: id, rules, example, tasks, ...facts } = described
  return serve({ facts: { id, ...facts, tasks: () => tasks, describe: () => ({ rules, example }) } }, pool)
}

function serve(environment: ProgramEnvironment, pool: ProgramPool): ServedEnvironment {
  const { facts, settings = {}, options } = environment
  const rules = { id: facts.id, ...(options && { options }) }
  const placeOf = (wanted: BackendRequest): ProgramPlace => {
    const files = wanted.files ?? environment.files?.(wanted.task)
    const details = { ...settings, ...parseEnvironmentOptions(rules, wanted.options) }
    return { pool, request: { ...wanted, ...(files && { files }) }, options: details }
  }
  return { id: facts.id, facts: async () => facts, ...programSessions(placeOf), stop: () => pool.stop() }
}
