import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { PresetInfo } from '../../../shared/core/contracts/preset.ts'
import { Field } from '../../components/field.tsx'
import { FoldedSection } from '../../components/folded-section.tsx'
import styles from '../../components/form/form.module.css'
import { FormColumns, SendButton } from '../../components/form/form-columns.tsx'
import { episodeLimitsSchema, runLimitsSchema, settingsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { type FormPart, useRequestForm } from '../../components/form/use-request-form.ts'
import { LabelFields } from '../../components/labels/label-fields.tsx'
import { readTags } from '../../components/labels/typed-labels.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { runAddress } from '../../format/addresses.ts'
import { cliCommand } from '../../format/cli-command.ts'
import { fitsAddress } from '../../format/request-address.ts'
import { api } from '../../service/api.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { EnvironmentSection } from './environment-section.tsx'
import { EstimatePanel } from './estimate-panel.tsx'
import { MethodSection } from './method-section.tsx'
import { ModelSection } from './model-section.tsx'
import { presetDefaults, replaceDefaults, replaceMethodDefaults } from './preset-defaults.ts'
import { PromptsSection } from './prompts-section.tsx'
import { type RunDraft, toDraft, toRequest, withPreset } from './run-draft.ts'
import { TasksSection } from './tasks-section.tsx'

export function RunForm({
  start,
  offers,
  presets,
}: {
  start: RunDraft
  offers: RunCatalogue
  presets: readonly PresetInfo[]
}) {
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
  const preset = presets.find(({ id }) => id === draft.preset)
  const defaults = presetDefaults(draft, preset)
  const methods = replaceMethodDefaults(offers.methods, defaults)
  const method = methods.find(({ id }) => id === draft.method)
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
        presets={presets}
        chosen={preset}
        draft={draft}
        errors={part.errors}
        onChoose={(next) =>
          form.change(toDraft(withPreset(request, next), offers.methods, offers.environments))
        }
      />
      <EnvironmentSection {...part} environments={offers.environments} defaults={defaults} />
      <TasksSection {...part} environment={environment} defaults={defaults} />
      <MethodSection {...part} methods={methods} />
      <ModelSection
        {...part}
        endpoints={offers.endpoints}
        method={method}
        environment={environment}
        defaults={defaults}
      />
      <LabelsSection {...part} />
      <LimitsSection {...part} defaults={defaults} />
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

function PresetSection({
  presets,
  chosen,
  draft,
  errors,
  onChoose,
}: Pick<FormPart<RunDraft>, 'draft' | 'errors'> & {
  presets: readonly PresetInfo[]
  chosen: PresetInfo | undefined
  onChoose: (preset: PresetInfo | undefined) => void
}) {
  const deviations = (chosen?.deviations ?? []).filter(
    ({ environments }) => environments?.includes(draft.environment) ?? true,
  )
  return (
    <Section title="Preset">
      <div className={styles.stack}>
        <Field
          label={<span className="visually-hidden">Preset</span>}
          hint="A paper’s settings in one word, for the environment below. What is changed there is listed with the run; what is emptied there is the paper’s again."
          error={errors('').preset}
        >
          {(field) => (
            <select
              {...field}
              value={draft.preset}
              onChange={({ target }) => onChoose(presets.find(({ id }) => id === target.value))}
            >
              <option value="">none</option>
              {presets.map(({ id, title }) => (
                <option key={id} value={id}>
                  {id}: {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {chosen !== undefined && (
          <>
            <p className="soft">
              {chosen.paper}. {chosen.source}
            </p>
            <ul>
              {deviations.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  )
}

function LabelsSection({ draft, onChange, errors }: FormPart<RunDraft>) {
  const { experiment, knownTags, note, tags } = draft
  const wrong = errors('')
  const hasErrors = ['experiment', 'tags', 'note'].some((name) => wrong[name] !== undefined)
  const set = [experiment.trim(), ...readTags(tags, knownTags), note.trim() && 'a note'].filter(
    (each) => each !== '',
  )
  return (
    <FoldedSection title="Labels" state={set.join(' · ') || 'none'} hasErrors={hasErrors}>
      <div className={styles.stack}>
        <LabelFields labels={draft} errors={wrong} onChange={(change) => onChange({ ...draft, ...change })} />
      </div>
    </FoldedSection>
  )
}

function LimitsSection({ draft, onChange, errors, defaults }: FormPart<RunDraft> & { defaults: JsonObject }) {
  const wrong = [
    ...Object.keys(errors('')).filter((name) => name in (settingsSchema.properties as JsonObject)),
    ...Object.keys(errors('limits')),
    ...Object.keys(errors('episode_limits')),
  ]
  return (
    <FoldedSection title="Repetition and limits" state={describeLimits(draft)} hasErrors={wrong.length > 0}>
      <div className={styles.stack}>
        <SchemaFields
          schema={replaceDefaults(settingsSchema, defaults)}
          value={draft.settings}
          onChange={(settings) => onChange({ ...draft, settings })}
          errors={errors('')}
        />
        <LimitGroup
          legend="Limits of the run"
          note="Reaching one pauses the run; it can go on with a higher one."
          schema={runLimitsSchema}
          value={draft.limits}
          onChange={(limits) => onChange({ ...draft, limits })}
          errors={errors('limits')}
        />
        <LimitGroup
          legend="Limits of each episode"
          note="An episode that reaches one ends: it is out of steps or budget."
          schema={episodeLimitsSchema}
          value={draft.episodeLimits}
          onChange={(episodeLimits) => onChange({ ...draft, episodeLimits })}
          errors={errors('episode_limits')}
        />
      </div>
    </FoldedSection>
  )
}

function describeLimits({ settings, limits, episodeLimits }: FormPart<RunDraft>['draft']): string {
  const named = [
    ...Object.entries(settings),
    ...Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const),
    ...Object.entries(episodeLimits).map(([name, value]) => [`episode_limits.${name}`, value] as const),
  ]
  return named.map(([name, value]) => `${name} ${value}`).join(' · ') || 'played once, no limits'
}
