import type { JsonObject } from '../../../shared/contracts/json.ts'
import type { LoopRecipeInfo } from '../../../shared/contracts/loop-settings.ts'
import type { FieldErrors } from '../../components/form/field-errors.ts'
import styles from '../../components/form/form.module.css'
import { OptionList } from '../../components/form/option-list.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { type LoopDraft, settingsOf, withLoopRecipe } from './loop-draft.ts'

/** What every part of the form is given. */
export interface LoopFormPart {
  draft: LoopDraft
  onChange: (draft: LoopDraft) => void
  errors: FieldErrors
}

/** The recipe, and its settings with where each is from; one value holds for every round, several by round. */
export function LoopRecipeSection({
  draft,
  onChange,
  errors,
  recipes,
}: LoopFormPart & { recipes: readonly LoopRecipeInfo[] }) {
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  return (
    <Section title="Recipe">
      <div className={styles.stack}>
        <OptionList
          legend="Recipe"
          options={recipes.map(({ id, title }) => ({ id, text: title, misfit: null }))}
          chosen={draft.recipe}
          onChoose={(id) => {
            const next = recipes.find((each) => each.id === id)
            if (next !== undefined) onChange(withLoopRecipe(draft, next))
          }}
        />
        {errors('').recipe && <p className={styles.error}>{errors('').recipe}</p>}
        {recipe !== undefined && (
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
      </div>
    </Section>
  )
}
