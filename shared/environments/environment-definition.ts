import type { JsonObject } from '../contracts/json.ts'
import type { DataDeclaration, DataPack, PackFormat } from './data-pack.ts'
import type { Environment } from './environment.ts'
import type { EnvironmentOptionsSchema } from './environment-options.ts'
import type { GeneratorDefinition } from './generate/task-generator.ts'

/** How an environment comes to be: over what it brings along, or over a data pack. */
export interface EnvironmentDefinition {
  readonly id: string
  /** What data comes along with it. @default of your own: an environment that was added */
  readonly data?: DataDeclaration
  /** Absent where the environment brings all it needs. */
  readonly pack?: PackFormat
  /** The environment whose packs it plays, where it has none of its own. */
  readonly packsOf?: string
  /**
   * What a run may set of the rules (`environment_options`). Options change rules, texts and scoring, never which tasks
   * there are. Absent where there is nothing to set.
   */
  readonly options?: EnvironmentOptionsSchema
  /** What makes further tasks of it, over what comes along; the opened environment has them too. Absent: nothing does. */
  readonly generators?: readonly GeneratorDefinition[]
  /**
   * @param pack null: with the data that comes along or is generated
   * @param options as the schema parsed them; absent: every default. An environment on hosts need not read them: they are
   * sent with each reset.
   */
  open(pack: DataPack | null, options?: JsonObject): Promise<Environment>
}
