import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import { agentgymKinds } from './agentgym-kinds.ts'
import type { AgentgymRegistration } from './agentgym-registration.ts'

/**
 * The environment of an AgentGym server. Tasks are the server's, by number: `{id}-00042` is `data_idx` 42. The server
 * decides which task a number means, some by its disk or its process. Compare a run's tasks only with those of the same server.
 * @example
 * const environment = openAgentgymEnvironment({ id: 'lab', server: 'babyai',
 *   address: 'http://lab:36001', splits: { train: [[100, 544]], test: [[0, 100]] }, max_sessions: 32 })
 */
export function openAgentgymEnvironment(registration: AgentgymRegistration): HostedEnvironment {
  const { id, server, address, max_sessions } = registration
  const { description, deterministic, default_max_steps, guide, tasks: count } = agentgymKinds[server]
  const splits = registration.splits ?? { all: [[0, count]] }
  const tasks = Object.entries(splits).flatMap(([split, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, position): EnvironmentTask => {
        const index = from + position
        return {
          id: `${id}-${String(index).padStart(5, '0')}`,
          split,
          type: server === 'babyai' ? `level-${(index % 40) + 1}` : server,
          description: `Game ${index} of an AgentGym server for ${server}.`,
        }
      }),
    ),
  )
  return {
    id,
    description: `${description} Played on an AgentGym server.`,
    snapshot: 'replay',
    deterministic,
    success_threshold: 1,
    default_max_steps,
    tasks: () => tasks,
    describe: () => guide,
    host: { kind: 'agentgym', server, address, max_sessions },
  }
}
