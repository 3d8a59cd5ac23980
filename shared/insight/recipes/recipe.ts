import type { JsonObject } from '../../core/contracts/json.ts'
import type { LoopRecipeId } from '../../core/contracts/loop-settings.ts'
import type { PresetId } from '../../core/contracts/preset.ts'

export interface PaperColumn {
  label: string
  environment: string
  // A request's tasks; without ids or a split, the split of the preset.
  tasks?: JsonObject
  // The list of a paper, as the file of `--task-file LABEL=PATH`.
  list?: string
  // Tasks of the paper; null: our sources do not state it.
  count: number | null
}

export interface PaperRow {
  label: string
  // By column, in percent; null: our sources do not state it.
  published: readonly (number | null)[]
  // Absent: the row is not played here, for the reason in `why`.
  preset?: PresetId
  method?: JsonObject
  // The key of `--use KEY=ENDPOINT:MODEL`. Absent: the model of `--model`.
  uses?: string
  // The role that asks `--model` when the row uses another model.
  keeps?: 'learner'
  // Environments that the row plays. Absent: all columns.
  environments?: readonly string[]
  why?: string
}

export interface PaperTable {
  title: string
  source: string
  figure: 'success_rate' | 'reward'
  columns: readonly PaperColumn[]
  rows: readonly PaperRow[]
}

// The loop that trains models of the recipe: one in each environment, from one base.
export interface PaperTraining {
  loop: LoopRecipeId
  base: string
  // The first round trains on the experts’ rows. Otherwise `--model` answers for the base.
  needsExperts: boolean
  // By the key of `--use`: the round whose model it is.
  models: Readonly<Record<string, 'first' | 'last'>>
  deviations: readonly string[]
}

export interface PaperRecipe {
  id: string
  paper: string
  models: string
  // Statements of the needs that a dry run does not test.
  needs: readonly { need: string; states: string }[]
  uses?: Readonly<Record<string, string>>
  training?: PaperTraining
  // The data of each environment, with the command that adds it.
  data: Readonly<Record<string, string>>
  // The environment with built-in data that `--practice` plays in place of each.
  practice: Readonly<Record<string, string>>
  tables: readonly PaperTable[]
}

export const hoursUnknown = 'our fact sheet of the paper does not state them'
