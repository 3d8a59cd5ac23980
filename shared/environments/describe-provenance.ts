import { type Provenance, unknownProvenance } from '../contracts/provenance.ts'
import type { DataDeclaration } from './data-pack.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { definitions } from './environments.ts'
import { builtinData } from './open-environments.ts'

const addedEnvironment: DataDeclaration = { origin: 'own', about: 'an environment that was added here' }
const addedPack: DataDeclaration = { origin: 'own', about: 'a data pack that was added here' }

/** The data of an environment: of the pack where it plays one, else what comes along. */
export function describeProvenance(
  { data = addedEnvironment, pack: format }: Pick<EnvironmentDefinition, 'data' | 'pack'>,
  pack: { digest: string; name: string | null } | null,
): Provenance {
  const { origin, about } = pack === null ? data : (format?.data ?? addedPack)
  return { origin, about, pack: pack && { name: pack.name, digest: pack.digest } }
}

/**
 * What is certain of the data of a run or an import that was stored without its provenance: an environment that comes with
 * Espalier, over the data that is named there. What was added may have been another thing then.
 *
 * @param data as runs record it: a pack's digest, or `builtin`; absent where the environment takes no packs
 */
export function provenanceOfStored({
  environment,
  data,
}: {
  environment: string
  data?: string | null | undefined
}): Provenance {
  const definition = definitions.find(({ id }) => id === environment)
  if (definition === undefined) return unknownProvenance
  if (data === undefined || data === null || data === builtinData) return describeProvenance(definition, null)
  return describeProvenance(definition, { digest: data, name: null })
}
