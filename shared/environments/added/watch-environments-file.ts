import { stat } from 'node:fs/promises'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { loadAddedEnvironments } from './load-added-environments.ts'

export interface WatchedEnvironments {
  added: readonly EnvironmentDefinition[]
  /**
   * Environments added to the file since the start. A changed entry keeps its first definition, because its runs
   * would not be repeatable.
   * @throws EspalierError `invalid_request`, naming the field, while the file is wrong
   */
  later(): Promise<readonly EnvironmentDefinition[]>
}

/**
 * Loads the environments of `environments.json`, now and later: `later()` reads the file again if it has changed.
 * @param path path of the file; it may be absent
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function watchEnvironmentsFile(path: string): Promise<WatchedEnvironments> {
  let seen = await stampOf(path)
  const added = await loadAddedEnvironments({ path })
  const known = new Map(added.map((definition) => [definition.id, definition]))
  const later: EnvironmentDefinition[] = []
  return {
    added,
    async later() {
      const stamp = await stampOf(path)
      if (stamp === seen) return later
      for (const definition of await loadAddedEnvironments({ path })) {
        if (known.has(definition.id)) continue
        known.set(definition.id, definition)
        later.push(definition)
      }
      seen = stamp
      return later
    },
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${mtimeNs} ${size} ${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent'
    throw error
  }
}
