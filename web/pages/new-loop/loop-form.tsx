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
import { FormColumns } from '../../components/form/form-columns.tsx'
import { isRefusal } from '../../components/form/is-refusal.ts'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { ComparisonSection } from './comparison-section.tsx'
import { isCompleteLoop, type LoopDraft } from './loop-draft.ts'
import { LoopRecipeSection } from './loop-recipe-section.tsx'
import { LoopSourcesSection } from './loop-sources-section.tsx'
import { LoopTasksSection } from './loop-tasks-section.tsx'
import { LoopTrainingSection } from './loop-training-section.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { useLoopPlan } from './use-loop-plan.ts'

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
    sending.error !== null && !(isRefusal(plan.error) && sending.error.message === messageIn(plan.error))
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
