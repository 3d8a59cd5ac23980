import { type Provenance, unknownProvenance } from '../core/contracts/provenance.ts'
import type { DataDeclaration } from './data-pack.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { definitions } from './environments.ts'
import { builtinData } from './open-environments.ts'

const addedEnvironment: DataDeclaration = { origin: 'own', about: 'an environment that was added here' }
const addedPack: DataDeclaration = { origin: 'own', about: 'a data pack that was added here' }

export function describeProvenance(
  { data = addedEnvironment, pack: format }: Pick<EnvironmentDefinition, 'data' | 'pack'>,
  pack: { digest: string; name: string | null } | null,
): Provenance {
  const { origin, about } = pack === null ? data : (format?.data ?? addedPack)
  return { origin, about, pack: pack && { name: pack.name, digest: pack.digest } }
}

/**
 * The certain provenance of a run or an import stored without it: only an environment of Espalier over the data named
 * there. An added environment may have been another one then.
 * @param data as runs record it: a pack's digest, or `builtin`; absent if the environment takes no packs
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
