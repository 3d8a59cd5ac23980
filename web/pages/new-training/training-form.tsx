import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainerInfo, TrainingRecipeInfo } from '../../../shared/core/contracts/training.ts'
import { BaseSection } from '../../components/form/base-section.tsx'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import { RecipeChoice } from '../../components/form/recipe-choice.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { type FormPart, useRequestForm } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { trainingAddress } from '../../format/addresses.ts'
import { withField } from '../../format/with-field.ts'
import { api } from '../../service/api.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { DatasetsSection } from './datasets-section.tsx'
import { trainingCommand } from './training-command.ts'
import { isCompleteTraining, shareProblem, type TrainingDraft, withRecipe } from './training-draft.ts'
import { TrainingSettings } from './training-settings.tsx'

interface Offers {
  recipes: readonly TrainingRecipeInfo[]
  trainers: readonly TrainerInfo[]
}

export function TrainingForm({ start, offers }: { start: TrainingDraft; offers: Offers }) {
  const form = useRequestForm({
    start,
    toRequest: (draft) => draft,
    isComplete: (draft) => isCompleteTraining(draft) && shareProblem(draft.datasets) === null,
    create: (draft, key) => api.createTraining(draft, key),
    addressOf: trainingAddress,
  })
  const { change, draft, isComplete } = form
  useRequestInAddress(JSON.stringify(draft), form.isChanged && !form.isSent)
  const { part, refusal } = form.partWith(null)
  const recipes = recipesOf(offers, draft)
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  return (
    <FormColumns
      onSubmit={form.submit}
      beside={
        <>
          <Section title="Before anything is spent">
            <p className="soft">
              The request is checked at once. The tokenizer of the base measures every row before weights are
              loaded, and rows that are too long are refused unless the recipe says otherwise. What a training
              takes is not foreseen: limits bound it.
            </p>
          </Section>
          {refusal !== null && <Refusal error={refusal} />}
          <SendButton form={form} text="Begin the training" />
          {!isComplete && <p className="soft">Choose a base and at least one dataset.</p>}
        </>
      }
      below={
        <RequestText
          path="/v1/trainings"
          body={draft as JsonObject}
          command={trainingCommand(draft, location.origin)}
        />
      }
    >
      <BaseSection base={draft.base} errors={part.errors} onChange={(base) => change({ ...draft, base })} />
      <RecipeSection {...part} recipes={recipes} />
      <DatasetsSection {...part} recipe={recipe} />
      <TrainingSettings {...part} trainers={offers.trainers} />
    </FormColumns>
  )
}

function recipesOf(
  { recipes, trainers }: Offers,
  { trainer = 'local' }: TrainingDraft,
): readonly TrainingRecipeInfo[] {
  const own = trainers.find(({ id }) => id === trainer)?.hyperparameters ?? {}
  return recipes.map((recipe) => ({ ...recipe, hyperparameters: own[recipe.id] ?? recipe.hyperparameters }))
}

function RecipeSection({
  draft,
  onChange,
  errors,
  recipes,
}: FormPart<TrainingDraft> & { recipes: readonly TrainingRecipeInfo[] }) {
  return (
    <RecipeChoice
      recipes={recipes}
      chosen={draft.recipe}
      nameOf={({ description }) => description}
      onChoose={(recipe) => onChange(withRecipe(draft, recipe))}
      error={errors('').recipe}
    >
      {(recipe) => (
        <>
          <p className="soft">Defaults: {recipe.source}</p>
          <SchemaFields
            schema={recipe.hyperparameters}
            value={(draft.hyperparameters ?? {}) as JsonObject}
            onChange={(next) => onChange(withField(draft, 'hyperparameters', next))}
            errors={errors('hyperparameters')}
          />
        </>
      )}
    </RecipeChoice>
  )
}
