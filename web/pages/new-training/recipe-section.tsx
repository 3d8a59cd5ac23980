import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainingRecipeInfo } from '../../../shared/core/contracts/training.ts'
import { RecipeChoice } from '../../components/form/recipe-choice.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { withField } from '../../format/with-field.ts'
import { type TrainingDraft, withRecipe } from './training-draft.ts'

export function RecipeSection({
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
