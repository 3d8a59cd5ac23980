import { stat } from 'node:fs/promises'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { loadAddedEnvironments } from './load-added-environments.ts'

/** Environments, and those that come while the process lives. */
export interface WatchedEnvironments {
  /** What the file held at the start. */
  added: readonly EnvironmentDefinition[]
  /**
   * What it holds beyond that by now. An entry that changed is played as it was at the start: its runs would not be repeated.
   *
   * @throws EspalierError `invalid_request`, naming the field, while the file is wrong
   */
  later(): Promise<readonly EnvironmentDefinition[]>
}

/**
 * The environments of `environments.json`, now and later: the file is read again when it has changed since it was last looked at.
 *
 * @param path where the file is; it may be absent
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

/** Changes with the file; it is written whole, and may be replaced within the same millisecond. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true })
    return `${mtimeNs} ${size} ${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent'
    throw error
  }
}
