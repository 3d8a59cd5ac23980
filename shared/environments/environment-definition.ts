import type { AbilityWeights } from '../core/contracts/ability.ts'
import type { JsonObject } from '../core/contracts/json.ts'
import type { WantedEnvironment } from '../core/programs/python-environment.ts'
import type { DataDeclaration, DataPack, PackFormat } from './data-pack.ts'
import type { Environment } from './environment.ts'
import type { EnvironmentOptionsSchema } from './environment-options.ts'
import type { GeneratorDefinition } from './generate/task-generator.ts'
import type { ImageFacts } from './image-facts.ts'
import type { Policy } from './simulated/policy.ts'

export interface TaskFile {
  /** The entries that it may have, as a noun in plural. */
  readonly entries: string
  /**
   * @returns ids of tasks; null: another kind of entries
   * @throws EspalierError that names the entry
   */
  read(entries: readonly unknown[]): Promise<string[] | null>
}

/**
 * Names in the files of AgentGym, Agent-R and ETO. They hold for one environment, or for all whose ids begin with its
 * id (`isFamily`).
 */
export interface OutsideNames {
  readonly name?: string
  readonly isFamily?: boolean
  /** @default 1: rewards are shares */
  readonly largestReward?: number
  /** Messages before the task in ETO's rollouts, whose prompt has one example as turns. */
  readonly etoHead?: number
  taskNamed(id: string): string
  numberOf?(task: string): number | null
}

export interface EnvironmentDefinition {
  readonly id: string
  readonly outside?: OutsideNames
  readonly data?: DataDeclaration
  /**
   * The version of the rules by which it rewards, part of every passport. Raise it if the same actions get another
   * reward. @default 1
   */
  readonly scorer?: number
  readonly abilities?: AbilityWeights
  readonly pack?: PackFormat
  readonly packsOf?: string
  /**
   * The options that a run may set (`environment_options`). Options change rules, texts and scoring, never the set of
   * tasks. Absent if there are none.
   */
  readonly options?: EnvironmentOptionsSchema
  readonly generators?: readonly GeneratorDefinition[]
  /** Reads a paper's file of tasks that is no list of ids. */
  readonly taskFile?: TaskFile
  /** The labels that a machine must have to play it. @default any machine may */
  readonly labels?: readonly string[]
  /**
   * Python packages to install on this machine. Absent: none of its own.
   * @throws EspalierError `not_supported` if programs are missing that only root can install
   */
  readonly packages?: (variables: NodeJS.ProcessEnv) => Promise<readonly WantedEnvironment[]>
  /** The image of its hosts. Absent: it is played in process, or on an address. */
  readonly image?: ImageFacts
  /**
   * Loads the simulated model's player of this environment. Without one, the model takes actions that a prompt lists
   * as valid.
   */
  readonly simulated?: () => Promise<Policy>
  /**
   * @param pack null: with bundled or generated data
   * @param options as the schema parsed them; absent: every default. An environment on hosts need not read them: they
   * are sent with each reset.
   */
  open(pack: DataPack | null, options?: JsonObject): Promise<Environment>
}
