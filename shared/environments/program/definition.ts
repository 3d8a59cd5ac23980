import { EspalierError } from '../../core/contracts/errors.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { describeProgram } from './describe-program.ts'
import { type ProgramRegistration, programCommandFile } from './registration.ts'

const hostMargin = 10

/**
 * An environment in the form of an administrator's program, such as a Python file. Hosts of the image `program` start
 * it, limit it, and restart it. A search goes back by replaying the same steps.
 * @param place the id and folder of `environments.json`
 */
export function programDefinition(
  { id, folder }: { id: string; folder: string },
  registration: ProgramRegistration,
): EnvironmentDefinition {
  const { step_time_limit = 30, reset_time_limit = 40, memory_limit_mb = 4096 } = registration
  const limits = { step_time_limit, reset_time_limit, memory_limit_mb }
  const started = { command: registration.command, folder, ...limits }
  const wanted = registration.environment ?? id
  return {
    id,
    data: { origin: 'own', about: `the tasks of the program ${registration.command.join(' ')}` },
    async open() {
      const { environment, rules, example, tools, tasks, ...facts } = await describeProgram(
        `environments.${id}.command`,
        started,
      )
      if (environment !== wanted) {
        const param = `environments.${id}.environment`
        const message = `${param}: The program calls itself "${environment}". Name that here, or use it as the id.`
        throw new EspalierError('invalid_request', message, { param })
      }
      return {
        id,
        ...facts,
        tasks: () => tasks,
        describe: () => ({ rules, example, ...(tools && { tools }) }),
        host: {
          kind: 'image',
          image: 'program',
          environment: 'program',
          answers_within: Math.ceil(Math.max(step_time_limit, reset_time_limit)) + hostMargin,
          files: async () => ({ [programCommandFile]: JSON.stringify(started) }),
        },
      }
    },
  }
}
