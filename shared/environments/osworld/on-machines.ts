import { desktopScoringPackages } from '../desktop/python-packages.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import type { SecretVariables } from '../reset-hook.ts'
import { describeOsworld, desktopsAnswerWithin, osworldDefinition } from './definition.ts'
import { type OsworldRegistration, osworldMachines } from './machines.ts'
import { osworldOptions } from './options.ts'
import { readOsworldTasks } from './read-pack.ts'
import { lacksEverywhere } from './task-needs.ts'

const mostSessions = 16

/**
 * OSWorld on an administrator's virtual machines, with the tasks of `osworld`'s data packs. The machines have
 * OSWorld's programs and network, so a task lacks only requirements that scoring here does not support.
 * @param secrets the entry's id in `environments.json`, and the source of its secrets
 */
export function osworldOnMachines(
  secrets: SecretVariables,
  registration: OsworldRegistration,
): EnvironmentDefinition {
  const { id } = secrets
  const { data, pack: format } = osworldDefinition
  return {
    id,
    options: osworldOptions,
    ...(data && { data }),
    ...(format && { pack: format }),
    packsOf: osworldDefinition.id,
    packages: async (variables) => [desktopScoringPackages(variables)],
    async open(pack, given) {
      const options = osworldOptions.parse(given ?? {})
      const tasks = pack === null ? [] : await readOsworldTasks(pack, ({ needs }) => lacksEverywhere(needs))
      return {
        ...describeOsworld(tasks, options),
        id,
        description:
          tasks.length === 0
            ? "OSWorld's tasks on virtual machines. They are added once: espalier data add osworld FOLDER."
            : "OSWorld's tasks on virtual machines.",
        sessions_per_episode: Math.min(mostSessions, registration.machines.length),
        host: {
          kind: 'image',
          image: 'desktop',
          environment: osworldDefinition.id,
          answers_within: desktopsAnswerWithin,
          machines: () => osworldMachines(registration, secrets),
        },
      }
    },
  }
}
