import type { JsonObject } from '../../../shared/contracts/json.ts'
import type { TrainingRecipeInfo } from '../../../shared/contracts/training.ts'
import type { FieldErrors } from '../../components/form/field-errors.ts'
import styles from '../../components/form/form.module.css'
import { OptionList } from '../../components/form/option-list.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { type TrainingDraft, withRecipe } from './training-draft.ts'

/** What every part of the form is given. */
export interface TrainingFormPart {
  draft: TrainingDraft
  onChange: (draft: TrainingDraft) => void
  errors: FieldErrors
}

/** How it is trained: the recipe, and its hyperparameters with the defaults of its paper. */
export function RecipeSection({
  draft,
  onChange,
  errors,
  recipes,
}: TrainingFormPart & { recipes: readonly TrainingRecipeInfo[] }) {
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  return (
    <Section title="Recipe">
      <div className={styles.stack}>
        <OptionList
          legend="Recipe"
          options={recipes.map(({ description, id }) => ({ id, text: description, misfit: null }))}
          chosen={draft.recipe}
          onChoose={(id) => {
            const next = recipes.find((each) => each.id === id)
            if (next !== undefined) onChange(withRecipe(draft, next))
          }}
        />
        {errors('').recipe && <p className={styles.error}>{errors('').recipe}</p>}
        {recipe !== undefined && (
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
      </div>
    </Section>
  )
}
