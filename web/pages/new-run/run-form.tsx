import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Button } from '../../components/button.tsx'
import { FoldedSection } from '../../components/folded-section.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import form from '../../components/form/form.module.css'
import { FormColumns } from '../../components/form/form-columns.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { LabelFields } from '../../components/labels/label-fields.tsx'
import { readTags } from '../../components/labels/typed-labels.ts'
import { runAddress } from '../../format/addresses.ts'
import { cliCommand } from '../../format/cli-command.ts'
import { fitsAddress } from '../../format/request-address.ts'
import { api } from '../../service/api.ts'
import { isRefused } from '../../service/refusal.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { EnvironmentSection } from './environment-section.tsx'
import { EstimatePanel } from './estimate-panel.tsx'
import type { FormPart } from './form-part.ts'
import { LimitsSection } from './limits-section.tsx'
import { MethodSection } from './method-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PresetSection } from './preset-section.tsx'
import { PromptsSection } from './prompts-section.tsx'
import { type RunDraft, toDraft, toRequest, withPreset } from './run-draft.ts'
import { TasksSection } from './tasks-section.tsx'

export function RunForm({ start, offers }: { start: RunDraft; offers: RunCatalogue }) {
  const [begun] = useState(start)
  const [draft, setDraft] = useState(begun)
  const navigate = useNavigate()
  const request = toRequest(draft)
  const isComplete = [draft.environment, draft.method, draft.endpoint, draft.model].every(
    (part) => part !== '',
  )
  const text = JSON.stringify(request)
  const { query, isOld } = useEstimate(text, isComplete)
  const key = useIdempotencyKey(request)
  const sending = useMutation({
    mutationFn: (sent: { request: JsonObject; key: string }) => api.createRun(sent.request, sent.key),
    onSuccess: ({ id }) => navigate(runAddress(id)),
  })
  // Stay sent until the run's page opens, so that an edit in between does not start a second run.
  const isSent = sending.isPending || sending.isSuccess
  // Do not write the address after sending: it would block the navigation to the run's page.
  useRequestInAddress(text, draft !== begun && !isSent)
  const change = (next: RunDraft) => {
    setDraft(next)
    if (sending.isError) sending.reset()
  }

  // If the estimate got the same refusal, the estimate's panel already shows it.
  const isNews =
    sending.error !== null && !(isRefused(query.error) && sending.error.message === query.error?.message)
  const errors = fieldErrors(sending.error ?? query.error)
  const part = { draft, onChange: change, errors }
  const method = offers.methods.find(({ id }) => id === draft.method)
  const environment = offers.environments.find(({ id }) => id === draft.environment)
  return (
    <FormColumns
      onSubmit={() => !isSent && sending.mutate({ request, key })}
      beside={
        <>
          <EstimatePanel
            estimate={query.data}
            error={query.error}
            isOld={isOld}
            isComplete={isComplete}
            onRetry={() => void query.refetch()}
          />
          {isNews && <Refusal error={sending.error} />}
          <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
            {isSent ? 'Starting …' : 'Start the run'}
          </Button>
        </>
      }
      below={
        <RequestText
          path="/v1/runs"
          body={request}
          command={cliCommand(request, location.origin)}
          note={
            draft === begun || fitsAddress(text)
              ? null
              : 'The request is too long to be kept in the address of this page: a reload or a link loses what was entered.'
          }
        />
      }
    >
      <PresetSection
        draft={draft}
        errors={errors}
        onChoose={(preset) =>
          change(toDraft(withPreset(request, preset), offers.methods, offers.environments))
        }
      />
      <EnvironmentSection {...part} environments={offers.environments} />
      <TasksSection {...part} environment={environment} />
      <MethodSection {...part} methods={offers.methods} />
      <ModelSection {...part} endpoints={offers.endpoints} method={method} environment={environment} />
      <LabelsSection {...part} />
      <LimitsSection {...part} />
      {method !== undefined && <PromptsSection {...part} method={method} />}
    </FormColumns>
  )
}

function useEstimate(request: string, isComplete: boolean) {
  const asked = useDebounced(isComplete ? request : '', 400)
  const query = useQuery({
    queryKey: ['estimate', asked],
    queryFn: ({ signal }) => api.estimateRun(JSON.parse(asked) as JsonObject, signal),
    // Right after the last required choice, the debounced request is still empty.
    enabled: isComplete && asked !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return { query, isOld: isComplete && (request !== asked || query.isFetching) }
}

function LabelsSection({ draft, onChange, errors }: FormPart) {
  const { experiment, note, tags } = draft
  const wrong = errors('')
  const hasErrors = ['experiment', 'tags', 'note'].some((name) => wrong[name] !== undefined)
  const set = [experiment.trim(), ...readTags(tags), note.trim() && 'a note'].filter((each) => each !== '')
  return (
    <FoldedSection title="Labels" state={set.join(' · ') || 'none'} hasErrors={hasErrors}>
      <div className={form.stack}>
        <LabelFields labels={draft} errors={wrong} onChange={(change) => onChange({ ...draft, ...change })} />
      </div>
    </FoldedSection>
  )
}
