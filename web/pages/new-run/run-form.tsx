import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { FoldedSection } from '../../components/folded-section.tsx'
import styles from '../../components/form/form.module.css'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { type FormPart, useRequestForm } from '../../components/form/use-request-form.ts'
import { LabelFields } from '../../components/labels/label-fields.tsx'
import { readTags } from '../../components/labels/typed-labels.ts'
import { runAddress } from '../../format/addresses.ts'
import { cliCommand } from '../../format/cli-command.ts'
import { fitsAddress } from '../../format/request-address.ts'
import { api } from '../../service/api.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { EnvironmentSection } from './environment-section.tsx'
import { EstimatePanel } from './estimate-panel.tsx'
import { LimitsSection } from './limits-section.tsx'
import { MethodSection } from './method-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PresetSection } from './preset-section.tsx'
import { PromptsSection } from './prompts-section.tsx'
import { type RunDraft, toDraft, toRequest, withPreset } from './run-draft.ts'
import { TasksSection } from './tasks-section.tsx'

export function RunForm({ start, offers }: { start: RunDraft; offers: RunCatalogue }) {
  const form = useRequestForm({
    start,
    toRequest,
    isComplete: (each) =>
      [each.environment, each.method, each.endpoint, each.model].every((part) => part !== ''),
    create: (sent, key) => api.createRun(sent, key),
    addressOf: runAddress,
  })
  const { draft, isComplete, request } = form
  const text = JSON.stringify(request)
  const { query, isOld } = useEstimate(text, isComplete)
  useRequestInAddress(text, form.isChanged && !form.isSent)
  const { part, refusal } = form.partWith(query.error)
  const method = offers.methods.find(({ id }) => id === draft.method)
  const environment = offers.environments.find(({ id }) => id === draft.environment)
  return (
    <FormColumns
      onSubmit={form.submit}
      beside={
        <>
          <EstimatePanel
            estimate={query.data}
            error={query.error}
            isOld={isOld}
            isComplete={isComplete}
            onRetry={() => void query.refetch()}
          />
          {refusal !== null && <Refusal error={refusal} />}
          <SendButton form={form} text="Start the run" />
        </>
      }
      below={
        <RequestText
          path="/v1/runs"
          body={request}
          command={cliCommand(request, location.origin)}
          note={
            !form.isChanged || fitsAddress(text)
              ? null
              : 'The request is too long to be kept in the address of this page: a reload or a link loses what was entered.'
          }
        />
      }
    >
      <PresetSection
        draft={draft}
        errors={part.errors}
        onChoose={(preset) =>
          form.change(toDraft(withPreset(request, preset), offers.methods, offers.environments))
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

function LabelsSection({ draft, onChange, errors }: FormPart<RunDraft>) {
  const { experiment, note, tags } = draft
  const wrong = errors('')
  const hasErrors = ['experiment', 'tags', 'note'].some((name) => wrong[name] !== undefined)
  const set = [experiment.trim(), ...readTags(tags), note.trim() && 'a note'].filter((each) => each !== '')
  return (
    <FoldedSection title="Labels" state={set.join(' · ') || 'none'} hasErrors={hasErrors}>
      <div className={styles.stack}>
        <LabelFields labels={draft} errors={wrong} onChange={(change) => onChange({ ...draft, ...change })} />
      </div>
    </FoldedSection>
  )
}
