import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainingRecipeInfo, TrainingRequestInput } from '../../../shared/core/contracts/training.ts'
import type { SourceChoice } from '../../components/form/search-choices.ts'
import { settleValue, withoutDefaults } from '../../components/schema-fields/settle-value.ts'
import { countOf } from '../../format/count-of.ts'
import { isNamed } from '../../format/name-base.ts'
import { withField } from '../../format/with-field.ts'

export type TrainingDraft = TrainingRequestInput

export type DraftDataset = TrainingDraft['datasets'][number]

export function startOfTraining(
  request: JsonObject | null,
  datasets: readonly string[],
  recipes: readonly TrainingRecipeInfo[],
): TrainingDraft {
  const draft: TrainingDraft = {
    base: { registered: '' },
    recipe: 'sft',
    ...(request as Partial<TrainingDraft> | null),
    datasets: listed(request?.datasets) ?? datasets.map((dataset) => ({ dataset })),
  }
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  if (recipe === undefined || draft.hyperparameters === undefined) return draft
  const chosen = withoutDefaults(recipe.hyperparameters, draft.hyperparameters as JsonObject)
  return withField(draft, 'hyperparameters', chosen)
}

function listed(datasets: unknown): DraftDataset[] | null {
  return Array.isArray(datasets) ? (datasets as DraftDataset[]) : null
}

export function withRecipe(draft: TrainingDraft, recipe: TrainingRecipeInfo): TrainingDraft {
  const kept = settleValue(recipe.hyperparameters, (draft.hyperparameters ?? {}) as JsonObject)
  return withField({ ...draft, recipe: recipe.id }, 'hyperparameters', kept)
}

export function withDatasets(draft: TrainingDraft, ids: readonly string[]): TrainingDraft {
  const datasets = ids.map((id) => draft.datasets.find(({ dataset }) => dataset === id) ?? { dataset: id })
  return { ...draft, datasets }
}

export function isCompleteTraining({ base, datasets }: TrainingDraft): boolean {
  return isNamed(base) && datasets.length > 0
}

export function shareProblem(datasets: readonly DraftDataset[]): string | null {
  const said = datasets.filter(({ share }) => share !== undefined)
  if (said.length === 0) return null
  if (said.some(({ share = 0 }) => !(share > 0 && share <= 1))) return 'A share is above 0 and at most 1.'
  return said.length === datasets.length ? null : 'Say the share of every dataset, or of none.'
}

export function datasetChoice(
  { created_at, id, name, request, rows, status }: Dataset,
  recipe: TrainingRecipeInfo | undefined,
): SourceChoice {
  const fits = recipe === undefined || recipe.kinds.includes(request.kind)
  return {
    id,
    name,
    created_at,
    about: `${request.kind} for ${request.format}, ${countOf(rows, 'row')}`,
    unready:
      status !== 'succeeded'
        ? `it is ${workWord(status)}`
        : fits
          ? null
          : `${recipe.id} learns from ${recipe.kinds.join(', ')}`,
  }
}
