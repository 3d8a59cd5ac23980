import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { LoopRecipeInfo } from '../../../shared/core/contracts/loop-settings.ts'
import { RecipeChoice } from '../../components/form/recipe-choice.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { withField } from '../../format/with-field.ts'
import { type LoopDraft, settingsOf, withLoopRecipe } from './loop-draft.ts'

export function LoopRecipeSection({
  draft,
  onChange,
  errors,
  recipes,
}: FormPart<LoopDraft> & { recipes: readonly LoopRecipeInfo[] }) {
  return (
    <RecipeChoice
      recipes={recipes}
      chosen={draft.recipe}
      nameOf={({ title }) => title}
      onChoose={(recipe) => onChange(withLoopRecipe(draft, recipe))}
      error={errors('').recipe}
    >
      {(recipe) => (
        <>
          <p className="soft">
            {recipe.paper}. Its rounds build <code>{recipe.kind}</code> rows and train by{' '}
            <code>{recipe.training}</code>.
          </p>
          {recipe.deviations.length > 0 && (
            <details>
              <summary>What differs from the paper</summary>
              <ul>
                {recipe.deviations.map((text) => (
                  <li key={text}>
                    <InlineCode text={text} />
                  </li>
                ))}
              </ul>
            </details>
          )}
          <p className="soft">
            Where several values are entered the first is of round 1, and the last holds from its round on.
          </p>
          <SchemaFields
            schema={settingsOf(recipe)}
            value={(draft.settings ?? {}) as JsonObject}
            onChange={(settings) => onChange(withField(draft, 'settings', settings))}
            errors={errors('settings')}
          />
        </>
      )}
    </RecipeChoice>
  )
}
