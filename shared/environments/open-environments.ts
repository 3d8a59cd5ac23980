import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
import { unknownName } from '../contracts/validation/nearest-name.ts'
import type { DataPack } from './data-pack.ts'
import type { Environment } from './environment.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { parseEnvironmentOptions } from './environment-options.ts'

/** The data packs that were added. */
export interface DataPacks {
  /** Of an environment, the one that was added last comes first. */
  list(environment: string): Promise<readonly { digest: string; name: string }[]>
  /** @throws EspalierError `not_found` */
  open(environment: string, digest: string): Promise<DataPack>
}

/** An environment over the data it plays. */
export interface OpenEnvironment {
  environment: Environment
  /** Null: the data that comes along. */
  pack: DataPack | null
  definition: EnvironmentDefinition
  /** What was set of its rules, defaults filled in. Absent: it has no options. */
  options?: JsonObject
}

export interface Environments {
  /** All of them, each over the data that a run would play; without those that cannot be opened now, of which `open` says why. */
  list(): Promise<OpenEnvironment[]>
  /**
   * @param data a pack's digest or name, or `builtin`; by default the pack that was added last, where there is one
   * @param options what is set of its rules; absent: every default
   * @throws EspalierError `unknown_environment`; `invalid_request` for data that is not there, or an option that is wrong
   */
  open(id: string, data?: string, options?: JsonObject): Promise<OpenEnvironment>
}

/** The name of the data that comes along with an environment. */
export const builtinData = 'builtin'

/** How many environments over packs are kept open. */
const mostKept = 8

/**
 * The environments over their data. What was opened is kept, because making its tasks may take long.
 *
 * @param later those that were added since, asked for when the list is, or an id is unknown
 * @example
 * const environments = openEnvironments(definitions, packs)
 * const { environment } = await environments.open('textcraft')
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
    // A pack that was removed is still there for the runs that name it by its digest.
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
      // While the file is wrong, what was there is listed; a request for what it adds says what is wrong.
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

/** An entry that an administrator added may be wrong, or its server down; the other environments are there all the same. */
function unlessRefused(error: unknown): null {
  if (EspalierError.isInstance(error)) return null
  throw error
}

function packsOf({ id, packsOf: other = id }: EnvironmentDefinition): string {
  return other
}

/** Options are in the order of their schema, in whichever order they were given. */
function keyOf(id: string, data: string, options: JsonObject): string {
  return `${id} ${data} ${JSON.stringify(options)}`
}
