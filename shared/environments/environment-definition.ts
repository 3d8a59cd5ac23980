import type { DataPack, PackFormat } from './data-pack.ts'
import type { Environment } from './environment.ts'

/** How an environment comes to be: over what it brings along, or over a data pack. */
export interface EnvironmentDefinition {
  readonly id: string
  /** Absent where the environment brings all it needs. */
  readonly pack?: PackFormat
  /** The environment whose packs it plays, where it has none of its own. */
  readonly packsOf?: string
  /** @param pack null: with the data that comes along or is generated */
  open(pack: DataPack | null): Promise<Environment>
}
