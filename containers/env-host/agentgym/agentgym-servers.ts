import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Hono } from 'hono'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import type { AgentgymGames } from './agentgym-games.ts'
import type { CompleteResult } from './session-book.ts'

export interface AgentgymServer {
  readonly name: string
  readonly environment: string
  routes(app: Hono, games: AgentgymGames): void
  readonly complete?: CompleteResult
  /** The order of its numbers of tasks. @default that of ids */
  order?(tasks: readonly EnvironmentTask[]): readonly EnvironmentTask[]
}

const rooms = join(import.meta.dirname, '../../../shared/environments')
const extension = extname(import.meta.filename)

/** Rooms list their servers in `host/agentgym.ts`, under a name with the end `Servers`. */
async function serversOf(id: string): Promise<readonly AgentgymServer[]> {
  const path = join(rooms, id, 'host', `agentgym${extension}`)
  if (!existsSync(path)) return []
  const exported = (await import(pathToFileURL(path).href)) as Record<string, readonly AgentgymServer[]>
  return Object.entries(exported).find(([name]) => name.endsWith('Servers'))?.[1] ?? []
}

export const agentgymServers = (await Promise.all(definitions.map(({ id }) => serversOf(id)))).flat()

export function agentgymServerNames(environments: readonly string[]): string[] {
  return agentgymServers.flatMap(({ name, environment }) =>
    environments.includes(environment) ? [name] : [],
  )
}
