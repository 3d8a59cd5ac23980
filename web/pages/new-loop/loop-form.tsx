import type { EndpointInfo, EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { LoopRecipeInfo } from '../../../shared/core/contracts/loop-settings.ts'
import type { TrainerInfo } from '../../../shared/core/contracts/training.ts'
import { BaseSection } from '../../components/form/base-section.tsx'
import styles from '../../components/form/form.module.css'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import {
  comparisonSchema,
  episodeLimitsSchema,
  workLimitsSchema,
} from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { RecipeChoice } from '../../components/form/recipe-choice.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { SourcePicker } from '../../components/form/source-picker.tsx'
import { type FormPart, useRequestForm } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { pickFields, withFields } from '../../format/pick-fields.ts'
import { withField } from '../../format/with-field.ts'
import { api } from '../../service/api.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { useSources } from '../../service/use-sources.ts'
import { importChoice, offeredRuns } from '../new-dataset/source-choices.ts'
import { isCompleteLoop, type LoopDraft, settingsOf, withLoopRecipe } from './loop-draft.ts'
import { LoopTasksSection } from './loop-tasks-section.tsx'
import { LoopTrainingSection } from './loop-training-section.tsx'
import { PlanPanel, useLoopPlan } from './plan-panel.tsx'

interface Offers {
  recipes: readonly LoopRecipeInfo[]
  environments: readonly EnvironmentInfo[]
  endpoints: readonly EndpointInfo[]
  trainers: readonly TrainerInfo[]
}

export function LoopForm({ start, offers }: { start: LoopDraft; offers: Offers }) {
  const form = useRequestForm({
    start,
    toRequest: (draft) => draft,
    isComplete: isCompleteLoop,
    create: (draft, key) => api.createLoop(draft, key),
    addressOf: loopAddress,
  })
  const { change, draft, isComplete } = form
  const plan = useLoopPlan(draft, isComplete)
  useRequestInAddress(JSON.stringify(draft), form.isChanged && !form.isSent)
  const { part, refusal } = form.partWith(plan.error)
  return (
    <FormColumns
      onSubmit={form.submit}
      beside={
        <>
          <PlanPanel plan={plan} isComplete={isComplete} />
          {refusal !== null && <Refusal error={refusal} />}
          <SendButton form={form} text="Begin the loop" />
        </>
      }
      below={<RequestText path="/v1/loops" body={draft as JsonObject} command={null} />}
    >
      <LoopRecipeSection {...part} recipes={offers.recipes} />
      <BaseSection base={draft.base} errors={part.errors} onChange={(base) => change({ ...draft, base })} />
      <LoopTasksSection {...part} environments={offers.environments} endpoints={offers.endpoints} />
      <LoopSourcesSection {...part} />
      <ComparisonSection {...part} />
      <LoopTrainingSection {...part} trainers={offers.trainers} />
    </FormColumns>
  )
}

function ComparisonSection({ draft, onChange, errors }: FormPart<LoopDraft>) {
  return (
    <Section title="Comparison and limits">
      <div className={styles.stack}>
        <SchemaFields
          schema={comparisonSchema}
          value={pickFields(draft as JsonObject, comparisonSchema)}
          onChange={(next) => onChange(withFields(draft, comparisonSchema, next))}
          errors={errors('')}
        />
        <LimitGroup
          legend="Limits of the loop"
          note="Of all stages together. Reaching one pauses the loop; it can go on with a higher one."
          schema={workLimitsSchema}
          value={(draft.limits ?? {}) as JsonObject}
          onChange={(limits) => onChange(withField(draft, 'limits', limits))}
          errors={errors('limits')}
        />
        <LimitGroup
          legend="Limits of each episode"
          note="An episode that reaches one ends: it is out of steps or budget."
          schema={episodeLimitsSchema}
          value={(draft.episode_limits ?? {}) as JsonObject}
          onChange={(limits) => onChange(withField(draft, 'episode_limits', limits))}
          errors={errors('episode_limits')}
        />
      </div>
    </Section>
  )
}

function LoopSourcesSection({ draft, onChange, errors }: FormPart<LoopDraft>) {
  const { imports, runs } = useSources()
  const { experts = [], general = [] } = draft
  return (
    <Section title="Experts and general conversations">
      <div className={styles.stack}>
        <Loaded what="the runs" query={runs}>
          {(ofRuns) => (
            <Loaded what="the imports" query={imports}>
              {(ofImports) => (
                <>
                  <SourcePicker
                    name="Experts"
                    hint="Runs or imported trajectories at training tasks."
                    choices={[...ofImports.data.map(importChoice), ...offeredRuns(ofRuns.data)]}
                    chosen={experts}
                    isCut={ofRuns.has_more || ofImports.has_more}
                    error={errors('').experts}
                    onChange={(ids) => onChange(withField(draft, 'experts', ids))}
                  />
                  {(ofImports.data.length > 0 || general.length > 0) && (
                    <SourcePicker
                      name="General conversations"
                      hint="Imported conversations that are mixed in, by the setting general_share."
                      choices={ofImports.data.map(importChoice).filter(({ id }) => !experts.includes(id))}
                      chosen={general}
                      isCut={ofImports.has_more}
                      error={errors('').general}
                      onChange={(ids) => onChange(withField(draft, 'general', ids))}
                    />
                  )}
                </>
              )}
            </Loaded>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

function LoopRecipeSection({
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
