import type { DatasetKindId } from '../../../core/contracts/dataset.ts'
import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { LoopRecipeId, LoopSettingName, LoopSettings } from '../../../core/contracts/loop-settings.ts'
import type { PresetId } from '../../../core/contracts/preset.ts'
import type { TrainingRecipe } from '../../../core/contracts/training.ts'

export interface RecipeSetting {
  field: LoopSettingName
  /** Null: open unless a request sets it. */
  value: Json | null
  source: string
}

export interface LoopRecipe {
  id: LoopRecipeId
  title: string
  paper: string
  kind: DatasetKindId
  training: TrainingRecipe
  pairsWithExperts: boolean
  /** The preset whose settings the runs of a loop take, and which: whole sections or single fields. */
  preset?: { id: PresetId; fields: readonly string[] }
  /** Every setting of the recipe. A request may override these and no others. */
  settings: readonly RecipeSetting[]
  deviations: readonly string[]
  /** Parameters of the dataset kind in a round, from 1. */
  parameters(settings: LoopSettings, round: number): JsonObject
}

const own = 'own choice'

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

export function withCommon(settings: readonly RecipeSetting[]): RecipeSetting[] {
  const stated = new Set(settings.map(({ field }) => field))
  return [...settings, ...commonSettings.filter(({ field }) => !stated.has(field))]
}

export function stated(parameters: { [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}
