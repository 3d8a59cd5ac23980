import type { EnvironmentDefinition } from '../environment-definition.ts'
import { Bridge } from './bridge.ts'
import { type BridgeFile, listBridgeFiles, readBridgeFile } from './bridge-file.ts'
import { BridgeSessions } from './bridge-sessions.ts'

/** @returns lists the environments that processes on this machine play, each with its first definition */
export function bridgedEnvironments(folder: string): () => Promise<EnvironmentDefinition[]> {
  const known = new Map<string, EnvironmentDefinition>()
  return async () => {
    for (const file of await listBridgeFiles(folder)) {
      if (!known.has(file.id)) known.set(file.id, toDefinition(folder, file))
    }
    return [...known.values()]
  }
}

function toDefinition(folder: string, { id, caller, facts: described }: BridgeFile): EnvironmentDefinition {
  const { environment: _, actions, rules, example, tools, tasks, ...facts } = described
  const keepsStates = facts.keeps_states === true
  const bridge = new Bridge({ id, param: 'environment' }, () => readBridgeFile(folder, id))
  const about = `the tasks of ${id} in the process of its caller (${caller}): not portable`
  return {
    id,
    data: { origin: 'own', about },
    open: async () => ({
      id,
      ...facts,
      tasks: () => tasks,
      describe: () => ({ rules, example, ...(tools && { tools }) }),
      host: {
        kind: 'in-process',
        bridge,
        sessions: (pictures) => new BridgeSessions({ bridge, pictures, keepsStates, actions }),
      },
    }),
  }
}
