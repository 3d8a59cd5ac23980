import { EspalierError } from '../core/contracts/errors.ts'
import type { JsonObject } from '../core/contracts/json.ts'
import { unknownName } from '../core/contracts/validation/nearest-name.ts'
import type { DataPack } from './data-pack.ts'
import type { Environment } from './environment.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { parseEnvironmentOptions } from './environment-options.ts'

export interface DataPacks {
  list(environment: string): Promise<readonly { digest: string; name: string }[]>
  open(environment: string, digest: string): Promise<DataPack>
}

export interface OpenEnvironment {
  environment: Environment
  pack: DataPack | null
  definition: EnvironmentDefinition
  options?: JsonObject
}

export interface Environments {
  list(): Promise<OpenEnvironment[]>
  /**
   * @param data a pack's digest or name, or `builtin`; by default the newest pack, if there is one
   * @param options of the environment; absent: every default
   * @throws EspalierError `unknown_environment`; `invalid_request` for missing data, or a wrong option
   */
  open(id: string, data?: string, options?: JsonObject): Promise<OpenEnvironment>
}

export const builtinData = 'builtin'

const mostKept = 8

/**
 * Opens environments over their data. Opened environments are cached, because creating their tasks may take long.
 * @param later environments added since, read on each listing and for an unknown id
 * @example
 * const environments = openEnvironments(definitions, packs)
 * const { environment } = await environments.open('maze')
 */
export function openEnvironments(
  definitions: readonly EnvironmentDefinition[],
  packs: DataPacks | null,
  later: () => Promise<readonly EnvironmentDefinition[]> = async () => [],
): Environments {
  const kept = new Map<string, Promise<OpenEnvironment>>()

  function openOver(
    definition: EnvironmentDefinition,
    digest: string | null,
    options: JsonObject,
  ): Promise<OpenEnvironment> {
    const key = keyOf(definition.id, digest ?? builtinData, options)
    const known = kept.get(key)
    if (known) return known
    const opening = (async (): Promise<OpenEnvironment> => {
      const pack = digest === null || packs === null ? null : await packs.open(packsOf(definition), digest)
      if (definition.options === undefined) {
        return { environment: await definition.open(pack), pack, definition }
      }
      return { environment: await definition.open(pack, options), pack, definition, options }
    })()
    opening.catch(() => kept.delete(key))
    const oldest = kept.size >= definitions.length + mostKept ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(key, opening)
    return opening
  }

  async function digestOf(
    definition: EnvironmentDefinition,
    data: string | undefined,
  ): Promise<string | null> {
    if (data === builtinData) return null
    const { id } = definition
    const added = definition.pack === undefined || packs === null ? [] : await packs.list(packsOf(definition))
    if (data === undefined) return added[0]?.digest ?? null
    const found = added.find(({ digest, name }) => digest === data || name === data)
    if (found) return found.digest
    // A removed pack still exists for runs that name it by its digest.
    if (definition.pack !== undefined && /^[0-9a-f]{32}$/.test(data)) return data
    const choices = [builtinData, ...added.map(({ name }) => name)]
    throw new EspalierError(
      'invalid_request',
      `${unknownName(`${id} has no data pack`, data, choices)}${definition.pack ? ` Or add it: espalier data add ${packsOf(definition)} FOLDER.` : ''}`,
      { param: 'data' },
    )
  }

  async function find(id: string): Promise<EnvironmentDefinition> {
    const named = (definition: EnvironmentDefinition) => definition.id === id
    const known = definitions.find(named)
    if (known) return known
    const since = await later()
    const found = since.find(named)
    if (found) return found
    const choices = [...definitions, ...since].map((candidate) => candidate.id)
    throw new EspalierError('unknown_environment', unknownName('There is no environment', id, choices), {
      param: 'environment',
    })
  }

  return {
    async list() {
      // While the file is wrong, list the earlier environments. A request for an added one reports the error.
      const since = await later().catch(unlessRefused)
      const opened = await Promise.all(
        [...definitions, ...(since ?? [])].map(async (definition) => {
          const options = parseEnvironmentOptions(definition)
          const opening = openOver(definition, await digestOf(definition, undefined), options)
          return opening.catch(unlessRefused)
        }),
      )
      return opened.filter((environment) => environment !== null)
    },
    async open(id, data, given) {
      const definition = await find(id)
      const options = parseEnvironmentOptions(definition, given)
      const known = data === undefined ? undefined : kept.get(keyOf(id, data, options))
      return known ?? openOver(definition, await digestOf(definition, data), options)
    },
  }
}

/** An entry that an administrator added may be wrong, or its server down. The other environments stay available. */
function unlessRefused(error: unknown): null {
  if (EspalierError.isInstance(error)) return null
  throw error
}

function packsOf({ id, packsOf: other = id }: EnvironmentDefinition): string {
  return other
}

function keyOf(id: string, data: string, options: JsonObject): string {
  return `${id} ${data} ${JSON.stringify(options)}`
}
