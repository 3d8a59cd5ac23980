import { join, resolve } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import type { PackFormat } from '../../shared/environments/data-pack.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { wrongUsage } from '../command-error.ts'

/**
 * Finds an included environment, or one that the data folder's `environments.json` adds.
 * @throws EspalierError `unknown_environment`, with the choices
 */
export async function findDefinition(folder: string, id: string): Promise<EnvironmentDefinition> {
  const all = await allDefinitions(folder)
  const found = all.find((definition) => definition.id === id)
  if (found) return found
  const choices = all.map((definition) => definition.id)
  throw new EspalierError('unknown_environment', unknownName('There is no environment', id, choices))
}

export async function findPackDefinition(
  folder: string,
  id: string,
): Promise<EnvironmentDefinition & { pack: PackFormat }> {
  const { pack, ...definition } = await findDefinition(folder, id)
  if (definition.packsOf !== undefined) return findPackDefinition(folder, definition.packsOf)
  if (pack !== undefined) return { ...definition, pack }
  const choices = (await allDefinitions(folder)).filter((other) => other.pack).map((other) => other.id)
  const those = choices.length === 0 ? 'No environment here takes any.' : `These do: ${choices.join(', ')}.`
  throw wrongUsage(`${id} takes no data packs: it brings all that it needs. ${those}`)
}

async function allDefinitions(folder: string): Promise<EnvironmentDefinition[]> {
  const added = await loadAddedEnvironments({ path: join(resolve(folder), 'environments.json') })
  return [...definitions, ...added]
}
