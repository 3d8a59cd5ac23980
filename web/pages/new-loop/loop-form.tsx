import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { EndpointInfo, EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { LoopRecipeInfo } from '../../../shared/core/contracts/loop-settings.ts'
import type { TrainerInfo } from '../../../shared/core/contracts/training.ts'
import { Button } from '../../components/button.tsx'
import { BaseSection } from '../../components/form/base-section.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import styles from '../../components/form/form.module.css'
import { FormColumns } from '../../components/form/form-columns.tsx'
import {
  comparisonSchema,
  episodeLimitsSchema,
  workLimitsSchema,
} from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { SourcePicker } from '../../components/form/source-picker.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { pickFields, withFields } from '../../format/pick-fields.ts'
import { withField } from '../../format/with-field.ts'
import { api } from '../../service/api.ts'
import { isRefused } from '../../service/refusal.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { useSources } from '../../service/use-sources.ts'
import { importChoice, offeredRuns } from '../new-dataset/source-choices.ts'
import { isCompleteLoop, type LoopDraft } from './loop-draft.ts'
import { type LoopFormPart, LoopRecipeSection } from './loop-recipe-section.tsx'
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
  const [begun] = useState(start)
  const [draft, setDraft] = useState(begun)
  const navigate = useNavigate()
  const isComplete = isCompleteLoop(draft)
  const plan = useLoopPlan(draft, isComplete)
  const key = useIdempotencyKey(draft)
  const sending = useMutation({
    mutationFn: (sent: { draft: LoopDraft; key: string }) => api.createLoop(sent.draft, sent.key),
    onSuccess: ({ id }) => navigate(loopAddress(id)),
  })
  // Stay sent until the loop's page opens, so that an edit in between does not start a second loop.
  const isSent = sending.isPending || sending.isSuccess
  useRequestInAddress(JSON.stringify(draft), draft !== begun && !isSent)
  const change = (next: LoopDraft) => {
    setDraft(next)
    if (sending.isError) sending.reset()
  }
  // If the plan got the same refusal, the plan's panel already shows it.
  const isNews =
    sending.error !== null && !(isRefused(plan.error) && sending.error.message === messageIn(plan.error))
  const part = { draft, onChange: change, errors: fieldErrors(sending.error ?? plan.error) }
  return (
    <FormColumns
      onSubmit={() => isComplete && !isSent && sending.mutate({ draft, key })}
      beside={
        <>
          <PlanPanel plan={plan} isComplete={isComplete} />
          {isNews && <Refusal error={sending.error} />}
          <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
            {isSent ? 'Sending …' : 'Begin the loop'}
          </Button>
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

function messageIn(error: unknown): string | null {
  return error instanceof Error ? error.message : null
}

function ComparisonSection({ draft, onChange, errors }: LoopFormPart) {
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

function LoopSourcesSection({ draft, onChange, errors }: LoopFormPart) {
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
