import type { DatasetKindId } from '../../contracts/dataset.ts'
import type { Json, JsonObject } from '../../contracts/json.ts'
import type { LoopRecipeId, LoopSettingName, LoopSettings } from '../../contracts/loop-settings.ts'
import type { TrainingRecipe } from '../../contracts/training.ts'

/** A setting of a recipe and where its value is from. */
export interface RecipeSetting {
  field: LoopSettingName
  /** Null: open unless a request says it. */
  value: Json | null
  source: string
}

/** A way to improve a model: what its rounds do, as data, and what a round's dataset is built with. */
export interface LoopRecipe {
  id: LoopRecipeId
  title: string
  paper: string
  /** What a round's rows teach. */
  kind: DatasetKindId
  /** How a round trains. */
  training: TrainingRecipe
  /** Whether the rows are made with the experts, which then must be named. */
  pairsWithExperts: boolean
  /** Every setting that the recipe has; a request may replace these and no others. */
  settings: readonly RecipeSetting[]
  deviations: readonly string[]
  /** The parameters of the dataset's kind in a round, from 1. */
  parameters(settings: LoopSettings, round: number): JsonObject
}

const own = 'own choice'

/** What every recipe has, and no paper settles. */
export const commonSettings: readonly RecipeSetting[] = [
  { field: 'explore_with', value: 'previous', source: `${own}: the newest model shows its own errors` },
  { field: 'kind_parameters', value: null, source: own },
  { field: 'earlier_rounds', value: 'none', source: `${own}: each round learns from its own rows` },
  { field: 'earlier_share', value: null, source: own },
  { field: 'expert_rows', value: false, source: `${own}: experts give rows where the recipe says so` },
  { field: 'expert_share', value: null, source: own },
  { field: 'prompts', value: null, source: 'the method’s own' },
  { field: 'evaluation_prompts', value: null, source: 'the method’s own' },
  { field: 'hyperparameters', value: null, source: 'as the training recipe has them' },
  { field: 'warm_start_hyperparameters', value: null, source: 'as the training recipe sft has them' },
]

/** The common settings, those that the recipe states itself replaced. */
export function withCommon(settings: readonly RecipeSetting[]): RecipeSetting[] {
  const stated = new Set(settings.map(({ field }) => field))
  return [...settings, ...commonSettings.filter(({ field }) => !stated.has(field))]
}

/** The parameters that are stated; those that are open are left to the kind. */
export function stated(parameters: { [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}
