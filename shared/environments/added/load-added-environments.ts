import { dirname, resolve } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import { agentgymRegistrationSchema } from '../agentgym/agentgym-registration.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { definitions } from '../environments.ts'
import type { AddedEnvironment } from './environments-file.ts'
import { openAddressEnvironment } from './open-address-environment.ts'
import { readEnvironmentsFile } from './read-environments-file.ts'

/**
 * Loads the environments that an administrator added in `environments.json`. Modules and the code of the named kinds
 * load here. A server lists its tasks on first use of its environment.
 * @param options.path path of the file; it may be absent
 * @example
 * const added = await loadAddedEnvironments({ path: join(dataFolder, 'environments.json') })
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function loadAddedEnvironments({ path }: { path: string }): Promise<EnvironmentDefinition[]> {
  const known = definitions.map(({ id }) => id)
  const added = await readEnvironmentsFile(path, known)
  return Promise.all(
    Array.from(added, async ([id, { labels, ...entry }]) => {
      const definition = await defineAddedEnvironment(id, entry, path)
      return labels === undefined ? definition : { ...definition, labels }
    }),
  )
}

export async function defineAddedEnvironment(
  id: string,
  entry: AddedEnvironment,
  path: string,
): Promise<EnvironmentDefinition> {
  switch (entry.kind) {
    case 'module': {
      const { loadModule } = await import('./load-module.ts')
      const { kind: _, file, ...limits } = entry
      return pickFrom(await loadModule(resolve(dirname(path), file), { [id]: limits }), id, path)
    }
    case 'agentgym': {
      const { openAgentgymEnvironment } = await import('../agentgym/agentgym-environment.ts')
      const { server, address, tasks, max_sessions } = entry
      const splits =
        tasks && Object.fromEntries(Object.entries(tasks).map(([split, range]) => [split, [range]]))
      const parsed = agentgymRegistrationSchema.safeParse({
        id,
        server,
        address,
        max_sessions,
        ...(splits && { splits }),
      })
      if (parsed.success) {
        const { data } = parsed
        const about = `the tasks of an AgentGym server for ${server}`
        return { id, data: { origin: 'original', about }, open: async () => openAgentgymEnvironment(data) }
      }
      const reason = parsed.error.issues[0]?.message ?? ''
      throw wrong(path, `environments.${id}.tasks`, reason)
    }
    case 'host': {
      const { address, environment = id } = entry
      return { id, open: () => openAddressEnvironment({ id, address, environment }) }
    }
    case 'openenv': {
      const { listOpenenvTasks, openOpenenvEnvironment } = await import('../openenv/openenv-environment.ts')
      checkTaskIds(listOpenenvTasks(id, entry), id, path)
      return { id, open: () => openOpenenvEnvironment(id, entry) }
    }
    case 'mcp': {
      const { findMcpContradiction, listMcpTasks, openMcpEnvironment } = await import(
        '../mcp/mcp-environment.ts'
      )
      checkTaskIds(listMcpTasks(entry), id, path)
      const found = findMcpContradiction(entry)
      if (found !== null) throw wrong(path, `environments.${id}.${found.field}`, found.message)
      const folder = dirname(path)
      const { server } = entry
      const beside = 'command' in server ? resolve(folder, server.folder) : folder
      return { id, open: () => openMcpEnvironment(id, entry, beside) }
    }
    case 'webarena':
    case 'visualwebarena': {
      const { webarenaDefinition } = await import('../webarena/definition.ts')
      return webarenaDefinition({ id, registration: entry, folder: dirname(path), variables: process.env })
    }
    case 'program': {
      const { programDefinition } = await import('../program/definition.ts')
      return programDefinition({ id, folder: resolve(dirname(path)) }, entry)
    }
    case 'browsergym': {
      const { browsergymDefinition } = await import('../browsergym/definition.ts')
      return browsergymDefinition({ id, folder: dirname(path), variables: process.env }, entry)
    }
    case 'osworld': {
      const { osworldOnMachines } = await import('../osworld/on-machines.ts')
      return osworldOnMachines({ id, variables: process.env }, entry)
    }
  }
}

function pickFrom(
  exported: readonly EnvironmentDefinition[],
  id: string,
  path: string,
): EnvironmentDefinition {
  const found = exported.find((definition) => definition.id === id)
  if (found) return found
  const there = exported.map((definition) => definition.id).join(', ')
  throw wrong(
    path,
    `environments.${id}`,
    `The module exports ${there}, and no "${id}". Use the id that it has there.`,
  )
}

function checkTaskIds(tasks: readonly { id: string }[], id: string, path: string): void {
  const known = new Set<string>()
  for (const task of tasks) {
    if (known.has(task.id)) {
      throw wrong(
        path,
        `environments.${id}.tasks`,
        `Two tasks are called "${task.id}". Each seed and each id may be listed once.`,
      )
    }
    known.add(task.id)
  }
}

function wrong(path: string, param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', `${path}: ${param}: ${message}`, { param })
}
